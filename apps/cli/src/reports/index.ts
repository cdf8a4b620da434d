import type { Reports } from '@colophon/analyst-tasks';
import type { ReportView } from '../report-page.js';
import { viewChatAccounting } from './chat-accounting.js';
import { viewChatAgents } from './chat-agents.js';
import { viewChatOverview } from './chat-overview.js';
import { viewChatReasoning } from './chat-reasoning.js';
import { viewChatReport } from './chat-report.js';
import { viewChatTimeline } from './chat-timeline.js';
import { viewChatTokens } from './chat-tokens.js';
import { viewChatToolCalls } from './chat-tool-calls.js';
import { viewExtractChatRange } from './extract-chat-range.js';
import { viewInboxState } from './inbox-state.js';
import { viewLiveChats } from './live-chats.js';
import { viewMessageContent } from './message-content.js';
import { viewMessageIndex } from './message-index.js';
import { viewMetaEvidence } from './meta-evidence.js';
import { viewPostInboxAdvice } from './post-inbox-advice.js';
import { viewProvenanceRelationships } from './provenance-relationships.js';

/** How the report of each task is shown to people. */
export const reportViews: { [Name in keyof Reports]: ReportView<Reports[Name]> } = {
  chat_report: viewChatReport,
  chat_overview: viewChatOverview,
  chat_tokens: viewChatTokens,
  chat_agents: viewChatAgents,
  chat_tool_calls: viewChatToolCalls,
  chat_accounting: viewChatAccounting,
  chat_timeline: viewChatTimeline,
  message_index: viewMessageIndex,
  message_content: viewMessageContent,
  extract_chat_range: viewExtractChatRange,
  meta_evidence: viewMetaEvidence,
  chat_reasoning: viewChatReasoning,
  provenance_relationships: viewProvenanceRelationships,
  live_chats: viewLiveChats,
  inbox_state: viewInboxState,
  post_inbox_advice: viewPostInboxAdvice,
};
