/** The thread of `generation.ts`. */

import { parentPort, workerData } from 'node:worker_threads'
import { readWithFaults } from '../generate/contract.ts'
import { faultsIn } from '../generate/faults.ts'
import { ContractFiles } from '../generate/files.ts'
import { generateForPrograms, generateOthers, Memory } from '../generate/generate.ts'
import { writeGenerated } from '../generate/write.ts'
import { FirstFiles } from './first_files.ts'
import type { News, GenerationOrder, ThreadData } from './generation.ts'

const { root, out } = workerData as ThreadData // from Generation
const files = new ContractFiles()
const memory = new Memory()
const firstFiles = new FirstFiles(out)
/** Of the last order to begin. */
let current = new AbortController()
let mayGoOn = Promise.withResolvers<void>()
let working = Promise.resolve()

parentPort?.on('message', (order: GenerationOrder) => {
  if (order === 'go on') return mayGoOn.resolve()
  current.abort()
  mayGoOn.resolve()
  const mine = (current = new AbortController())
  const going = (mayGoOn = Promise.withResolvers<void>())
  working = working.then(() => (order === 'end' ? end() : run(mine.signal, going.promise)))
})

async function run(signal: AbortSignal, goingOn: Promise<void>): Promise<void> {
  if (signal.aborted) return
  try {
    files.forgetChanged()
    const { contract, faults } = await readWithFaults(root, files)
    // Lint has told them.
    if (contract === undefined || faults.length > 0) return await firstFiles.putBack()
    const first = await generateForPrograms(contract, { memory, signal })
    const writtenFirst = await firstFiles.write(first)
    tell({ is: 'forPrograms', written: writtenFirst })
    await goingOn
    const others = await generateOthers(contract, { memory, signal })
    const { count, written, removed } = await writeGenerated({ ...first, ...others }, out)
    firstFiles.keep()
    memory.forgetUnused()
    tell({ is: 'all', written: written.length + writtenFirst, removed: removed.length, count })
  } catch (error) {
    if (signal.aborted) return // the next run, or the end, decides what becomes of the first files
    await firstFiles.putBack()
    tell({ is: 'faults', faults: faultsIn(error) })
  }
}

async function end(): Promise<void> {
  await firstFiles.putBack()
  parentPort?.close()
}

function tell(news: News): void {
  parentPort?.postMessage(news)
}
