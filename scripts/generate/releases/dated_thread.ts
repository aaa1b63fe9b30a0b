/** Generates the dated contracts in a thread: they take as long as everything else. See `filesByDateInThread`. */

import { parentPort, workerData } from 'node:worker_threads'
import { faultsIn } from '../faults.ts'
import { filesByDate } from '../generate.ts'

try {
  parentPort?.postMessage({ files: await filesByDate(workerData) })
} catch (error) {
  parentPort?.postMessage({ faults: faultsIn(error) })
}
