import type { z } from 'zod';
import type { AnalystTask } from './task.js';
import { chatAccounting } from './tasks/chat-accounting.js';
import { chatAgents } from './tasks/chat-agents.js';
import { chatOverview } from './tasks/chat-overview.js';
import { chatReasoning } from './tasks/chat-reasoning.js';
import { chatReport } from './tasks/chat-report.js';
import { chatTimeline } from './tasks/chat-timeline.js';
import { chatTokens } from './tasks/chat-tokens.js';
import { chatToolCalls } from './tasks/chat-tool-calls.js';
import { extractChatRange } from './tasks/extract-chat-range.js';
import { inboxState } from './tasks/inbox-state.js';
import { liveChats } from './tasks/live-chats.js';
import { messageContent } from './tasks/message-content.js';
import { messageIndex } from './tasks/message-index.js';
import { metaEvidence } from './tasks/meta-evidence.js';
import { postInboxAdvice } from './tasks/post-inbox-advice.js';
import { provenanceRelationships } from './tasks/provenance-relationships.js';

const all = {
  chat_report: chatReport,
  chat_overview: chatOverview,
  chat_tokens: chatTokens,
  chat_agents: chatAgents,
  chat_tool_calls: chatToolCalls,
  chat_accounting: chatAccounting,
  chat_timeline: chatTimeline,
  message_index: messageIndex,
  message_content: messageContent,
  extract_chat_range: extractChatRange,
  meta_evidence: metaEvidence,
  chat_reasoning: chatReasoning,
  provenance_relationships: provenanceRelationships,
  live_chats: liveChats,
  inbox_state: inboxState,
  post_inbox_advice: postInboxAdvice,
};

/** What each task returns, by its name. */
export type Reports = { [Name in keyof typeof all]: z.output<(typeof all)[Name]['output']> };

/** Every task by its name, in the order in which they are listed. */
export const tasks = all as unknown as Record<string, AnalystTask>;
