import * as fc from 'fast-check'
import { afterEach, expect } from 'vitest'
import { killChildren } from './process.ts'
import { watchRows, wrongRows } from './row_shapes.ts'

// This file runs for each test file, while the modules of the harness are loaded once for each worker.
afterEach(killChildren)

watchRows()
afterEach(() => expect(wrongRows()).toEqual([]))

// A fixed seed, so that a failure belongs to the change under test. Set `SEED` to try other cases.
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20_260_516) })
