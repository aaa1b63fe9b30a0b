import type { Fault } from '../fault.ts'
import { access } from './access.ts'
import { agentContract } from './agent_contract.ts'
import { agents } from './agents.ts'
import { agentTools } from './agent_tools.ts'
import { blockTypes } from './block_types.ts'
import { blocks } from './blocks.ts'
import { comments } from './comments.ts'
import { computed } from './computed.ts'
import { contract } from './contract.ts'
import { events } from './events.ts'
import { fileUploads } from './file_uploads.ts'
import { formulas } from './formulas.ts'
import { idempotency } from './idempotency.ts'
import { jobs } from './jobs.ts'
import { limits } from './limits.ts'
import { markdown } from './markdown.ts'
import { oauth } from './oauth.ts'
import { pages } from './pages.ts'
import { paging } from './paging.ts'
import { propertyTypes } from './property_types.ts'
import { queries } from './queries.ts'
import { queryFilters } from './query_filters.ts'
import { relations } from './relations.ts'
import { router } from './router.ts'
import { rows } from './rows.ts'
import { schemas } from './schemas.ts'
import { search } from './search.ts'
import { sessions } from './sessions.ts'
import { settings } from './settings.ts'
import { signIn } from './sign_in.ts'
import { agentTriggers } from './triggers.ts'
import { versions } from './versions.ts'
import { views } from './views.ts'
import { webhooks } from './webhooks.ts'
import { listWindows } from './windows.ts'

/** All faults, by the part of the server that they are in. */
export const plantedFaults: Readonly<Record<string, readonly Fault[]>> = {
  access,
  agents,
  agent_contract: agentContract,
  agent_tools: agentTools,
  block_types: blockTypes,
  blocks,
  comments,
  computed,
  contract,
  events,
  file_uploads: fileUploads,
  formulas,
  idempotency,
  jobs,
  limits,
  markdown,
  oauth,
  pages,
  paging,
  property_types: propertyTypes,
  queries,
  query_filters: queryFilters,
  relations,
  router,
  rows,
  schemas,
  search,
  sessions,
  settings,
  sign_in: signIn,
  triggers: agentTriggers,
  versions,
  views,
  webhooks,
  windows: listWindows,
}
