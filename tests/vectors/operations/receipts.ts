import {
  type ChatMetaRecord,
  metaEvidence,
  type ReceiptRecord,
  type ReceiptWarning,
  receiptEvidence,
  receiptJobReferences,
} from '@colophon/chat-format';
import type { Operation } from '../vector.js';
import { chatOf } from './chat-of.js';
import { tokenReport } from './token-report.js';

const recordResult = (record: ChatMetaRecord | ReceiptRecord) =>
  record.origin === 'chat_meta'
    ? {
        origin: record.origin,
        meta: record.meta,
        meta_address: record.metaAddress,
        source: record.source,
        raw_message: null,
      }
    : {
        origin: record.origin,
        meta: record.meta,
        call_id: record.callId,
        tool_name: record.toolName,
        agent_meta_index: record.index,
        output_address: record.outputAddress,
        evidence_address: record.evidenceAddress,
        source: record.source,
        raw_message: null,
      };

const warningResult = (warning: ReceiptWarning) => ({
  reason: warning.code,
  message: warning.message,
  call_id: warning.callId,
  tool_name: warning.toolName,
  agent_meta_index: warning.index,
  output_address: warning.outputAddress,
  evidence_address: warning.index === undefined ? null : warning.address,
  source: warning.source,
  raw_entry: warning.entry,
});

/** Inference records inside messages. */
export const receipts: Record<string, Operation> = {
  receipt_evidence: (input) => {
    const { records, warnings } = receiptEvidence(chatOf(input), input.source);
    return { records: records.map(recordResult), warnings: warnings.map(warningResult) };
  },
  meta_evidence: (input) => {
    const chat = chatOf(input);
    const before = JSON.stringify(chat);
    const { records, warnings } = metaEvidence(chat, input.source);
    return {
      records: records.map(recordResult),
      warnings: warnings.map(warningResult),
      chat_length: chat.length,
      chat_unchanged: JSON.stringify(chat) === before,
      local_totals: tokenReport([chat]).totals,
    };
  },
  receipt_job_references: (input) => {
    const { references, warnings } = receiptJobReferences(chatOf(input), input.source);
    return {
      references: references.map((reference) => ({
        job: reference.job,
        call_id: reference.callId,
        tool_name: reference.toolName,
        agent_meta_index: reference.index,
        output_address: reference.outputAddress,
        evidence_address: reference.evidenceAddress,
        source: reference.source,
      })),
      warnings: warnings.map(warningResult),
    };
  },
};
