import type { Database } from '../../store/database.ts'
import type { Agent } from '../agents/agent.ts'
import type { RunInput, Runtime, RunTool, ToolCall, ToolResult } from '../agents/runtime.ts'
import type { FileVault } from '../file_uploads/vault.ts'
import type { JobParts } from '../jobs/job.ts'
import type { Scope, WriteScope } from '../scope.ts'
import type { SessionFeed } from './feed.ts'

/** What agents can do in the workspace, each as far as its permissions and the rights of the caller reach. */
export interface AgentTools {
  toolsFor(scope: Scope, agent: Agent): readonly RunTool[]
  /** Does what a read asks for. */
  carryOut(scope: Scope, agent: Agent, call: ToolCall): Promise<ToolResult>
  /** What a person is asked about a write, and the call as it will be carried out; or why nobody is asked. */
  proposalOf(
    scope: Scope,
    agent: Agent,
    call: ToolCall,
  ): Promise<{ readonly title: string; readonly call: ToolCall } | { readonly refusal: ToolResult }>
  carryOutApproved(scope: WriteScope, agent: Agent, call: ToolCall): Promise<ToolResult>
  defaultParentOf(scope: Scope, agent: Agent): Promise<RunInput['defaultParent']>
}

/** Which runtime serves a model; undefined where none does. */
export interface Runtimes {
  for(model: Agent['model']): Runtime | undefined
}

/** What turns are run with. */
export interface TurnParts extends Pick<JobParts, 'now' | 'scopeOf'> {
  readonly database: Database
  readonly vault: FileVault
  readonly feed: SessionFeed
  readonly runtimes: Runtimes
  readonly tools: AgentTools
}
