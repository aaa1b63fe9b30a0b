import { carryOut, carryOutApproved, defaultParentOf, proposalOf, toolsFor } from '../tools/index.ts'
import type { AgentTools } from './turn_parts.ts'

/** The tools for the content of the workspace. */
export const workspaceTools: AgentTools = { toolsFor, carryOut, proposalOf, carryOutApproved, defaultParentOf }
