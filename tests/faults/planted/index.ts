import type { Fault } from '../fault.ts'
import { access } from './access.ts'
import { blocks } from './blocks.ts'
import { contract } from './contract.ts'
import { pages } from './pages.ts'
import { paging } from './paging.ts'
import { queries } from './queries.ts'

/** All faults, by the part of the server that they are in. */
export const areas: Readonly<Record<string, readonly Fault[]>> = { access, blocks, contract, pages, paging, queries }
