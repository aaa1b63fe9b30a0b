import type { Fault } from '../fault.ts'
import { pages } from './pages.ts'

/** All faults, by the part of the server that they are in. */
export const areas: Readonly<Record<string, readonly Fault[]>> = { pages }
