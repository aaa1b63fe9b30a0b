/** The thread that converts long pages. `PageConverter` starts it. */

import { once } from 'node:events'
import { parentPort, type MessagePort } from 'node:worker_threads'
import { convertPage } from './convert_page.ts'
import type { ConversionOrder, ConversionReport } from './page_converter.ts'
import type { LinkTarget } from './link_target.ts'

parentPort?.on('message', (order: ConversionOrder) => void runConversion(order))

async function runConversion({ page, port }: ConversionOrder): Promise<void> {
  const report = (what: ConversionReport): void => port.postMessage(what)
  try {
    report({
      converted: await convertPage(page, async (addresses) => {
        report({ addresses })
        return targetsFrom(port)
      }),
    })
  } catch (failure) {
    report({ failure })
  }
}

async function targetsFrom(port: MessagePort): Promise<ReadonlyMap<string, LinkTarget>> {
  const [targets] = (await once(port, 'message')) as [ReadonlyMap<string, LinkTarget>]
  return targets
}
