import { afterEach } from 'vitest'
import { killChildren } from './process.ts'

// Runs for each test file, while the harness itself is loaded once for all files of a worker.
afterEach(killChildren)
