import { chromium, type Browser } from 'playwright-core'
import { describe } from 'vitest'
import { whyNoChromium } from './programs.ts'

/** Tests in a browser. They are skipped without one; the last line of the run gives the reason. */
export const describeInBrowser = describe.skipIf(whyNoChromium() !== undefined)

export function launchChromium(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH']
  if (executablePath === undefined) throw new Error('a test in a browser is not in describeInBrowser')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] })
}
