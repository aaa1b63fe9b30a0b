import * as fc from 'fast-check'
import { afterEach, expect } from 'vitest'
import { killChildren } from './process.ts'
import { watchRows, wrongRows } from './row_shapes.ts'

// Runs for each test file, while the harness itself is loaded once for all files of a worker.
afterEach(killChildren)

watchRows()
afterEach(() => expect(wrongRows()).toEqual([]))

// What is found by chance today would be found on somebody else's change tomorrow: a run repeats the same cases, and `SEED` takes others.
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20_260_516) })
