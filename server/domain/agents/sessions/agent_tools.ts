import { execute, executeApproved, defaultParentOf, proposalOf, toolsFor } from '../tools/index.ts'
import type { AgentTools } from './turn_deps.ts'

/** The tools for the content of the workspace. */
export const workspaceTools: AgentTools = { toolsFor, execute, proposalOf, executeApproved, defaultParentOf }
