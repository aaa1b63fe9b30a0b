import type { Database } from '../../../store/database.ts'
import type { Agent } from '../agent.ts'
import type { RunInput, Runtime, RunTool, ToolCall, ToolResult } from '../runtime.ts'
import type { FileVault } from '../../files/index.ts'
import type { JobDeps, Scope, WriteScope } from '../../shared/index.ts'
import type { SessionFeed } from './feed.ts'

/** The tools of agents, limited by the permissions of the agent and the rights of the caller. */
export interface AgentTools {
  toolsFor(scope: Scope, agent: Agent): readonly RunTool[]
  /** Executes a read. */
  execute(scope: Scope, agent: Agent, call: ToolCall): Promise<ToolResult>
  /** For a write: the title under which a person is asked for approval and the call to execute, or a refusal. */
  proposalOf(
    scope: Scope,
    agent: Agent,
    call: ToolCall,
  ): Promise<{ readonly title: string; readonly call: ToolCall } | { readonly refusal: ToolResult }>
  executeApproved(scope: WriteScope, agent: Agent, call: ToolCall): Promise<ToolResult>
  defaultParentOf(scope: Scope, agent: Agent): Promise<RunInput['defaultParent']>
}

export interface Runtimes {
  for(model: Agent['model']): Runtime | undefined
}

export interface TurnDeps extends Pick<JobDeps, 'now' | 'scopeOf'> {
  readonly database: Database
  readonly vault: FileVault
  readonly feed: SessionFeed
  readonly runtimes: Runtimes
  readonly tools: AgentTools
}
