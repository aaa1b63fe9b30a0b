/** Lints in a thread while the main thread generates. */

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** The faults that lint finds in the contract with the root file `root`, by `faultsOfLint`. */
export function faultsOfLintInThread(root: string): Promise<readonly string[]> {
  const thread = new Worker(new URL(import.meta.url), { workerData: root })
  return new Promise((done, fail) => {
    thread.once('message', done)
    thread.once('error', fail)
  })
}

if (!isMainThread) {
  const { readWithFaults } = await import('../generate/contract.ts')
  const { faultsOfLint } = await import('./lint.ts')
  parentPort?.postMessage(await faultsOfLint(await readWithFaults(String(workerData))))
}
