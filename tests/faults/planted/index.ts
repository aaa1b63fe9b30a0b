import type { Fault } from '../fault.ts'
import { pages } from './pages.ts'
import { paging } from './paging.ts'
import { queries } from './queries.ts'

/** All faults, by the part of the server that they are in. */
export const areas: Readonly<Record<string, readonly Fault[]>> = { pages, paging, queries }
