/** The thread of `generation.ts`. */

import { parentPort, workerData } from 'node:worker_threads'
import { readWithFaults, type Contract } from '../generate/contract.ts'
import { faultsIn } from '../generate/faults.ts'
import { ContractFiles } from '../generate/files.ts'
import { generateForPrograms, generateOthers, Memory } from '../generate/generate.ts'
import { writeFiles, writeGenerated } from '../generate/write.ts'
import type { News, GenerationOrder, ThreadData } from './generation.ts'

const { root, out } = workerData as ThreadData // from Generation
const files = new ContractFiles()
const memory = new Memory()
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
  working = working.then(() => run(mine.signal, going.promise))
})

async function run(signal: AbortSignal, goingOn: Promise<void>): Promise<void> {
  if (signal.aborted) return
  let isPartlyWritten = false
  try {
    files.forgetChanged()
    const { contract, faults } = await readWithFaults(root, files)
    if (contract === undefined || faults.length > 0) return // lint has told them
    const first = await firstFiles(contract, signal)
    isPartlyWritten = true
    await goingOn
    const others = await generateOthers(contract, { memory, signal })
    const { count, written, removed } = await writeGenerated({ ...first.files, ...others }, out)
    memory.forgetUnused()
    tell({ is: 'all', written: written.length + first.written, removed: removed.length, count })
  } catch (error) {
    if (!signal.aborted) tell({ is: 'faults', faults: faultsIn(error), isPartlyWritten })
  }
}

/** Writes what the mock and the service wait for. */
async function firstFiles(contract: Contract, signal: AbortSignal) {
  const made = await generateForPrograms(contract, { memory, signal })
  const { length: written } = await writeFiles(made, out)
  tell({ is: 'forPrograms', written })
  return { files: made, written }
}

function tell(news: News): void {
  parentPort?.postMessage(news)
}
