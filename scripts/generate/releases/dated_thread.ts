/** The files of the contracts by date, made in a thread of their own: they take as long as all others. See `filesByDateInThread`. */

import { parentPort, workerData } from 'node:worker_threads'
import { faultsIn } from '../faults.ts'
import { filesByDate } from '../generate.ts'

try {
  parentPort?.postMessage({ files: await filesByDate(workerData) })
} catch (error) {
  parentPort?.postMessage({ faults: faultsIn(error) })
}
