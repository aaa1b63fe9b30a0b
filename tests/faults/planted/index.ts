import type { Fault } from '../fault.ts'
import { limits } from './limits.ts'
import { oauth } from './oauth.ts'
import { pages } from './pages.ts'
import { paging } from './paging.ts'
import { queries } from './queries.ts'
import { versions } from './versions.ts'

/** All faults, by the part of the server that they are in. */
export const areas: Readonly<Record<string, readonly Fault[]>> = { limits, oauth, pages, paging, queries, versions }
