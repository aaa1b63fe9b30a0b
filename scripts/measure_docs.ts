/**
 * Measures the rendered reference on a simulated slow machine, and takes screenshots.
 *
 *     node scripts/measure_docs.ts [--folder docs] [--pictures <folder>] [--saves <number>]
 *
 * For twenty pages, in Chromium with its CPU throttled to a quarter: compressed size, first paint, and the time until the page is usable;
 * then the time of the first search, including loading the index. With `--saves` instead, it measures the time from a save until `npm run
 * dev` has linted and shown it, and the mock and the service serve it. The load of the machine is printed first, because other work
 * distorts the figures.
 */

import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import compression from 'compression'
import express from 'express'
import { chromium, type Browser, type Page } from 'playwright-core'
import { findChromium } from './chromium.ts'
import { measureSaves, type SaveTimes } from './dev/measure_saves.ts'
import { parseCommandLine } from './parse_command_line.ts'

const SLOWED = 4
const paths = [
  'index',
  'guides/getting-started',
  'guides/authentication',
  'guides/requests-and-responses',
  'guides/limits',
  'areas/pages',
  'operations/createPage',
  'operations/updateBlock',
  'operations/queryDataSource',
  'operations/search',
  'operations/createSession',
  'operations/retrieveMe',
  'objects/index',
  'objects/Block',
  'objects/BlockRequest',
  'objects/PageObject',
  'events/index',
  'events/page.created',
  'errors',
  'changes',
]

const { values } = parseCommandLine(import.meta.filename, {
  options: {
    folder: { type: 'string', default: resolve(import.meta.dirname, '../docs') },
    saves: { type: 'string' },
    pictures: { type: 'string', default: join(resolve(import.meta.dirname, '../docs'), 'pictures') },
  },
})
const machine = `${cpus().length} processors, load ${loadavg()[0]?.toFixed(1)}`
await (values.saves === undefined ? measurePages() : measureEachSave(Number(values.saves)))

async function measureEachSave(count: number): Promise<void> {
  const all: SaveTimes[] = []
  const row = (name: string, { lint, page, mock, service }: SaveTimes): string =>
    name.padEnd(8) + [lint, page, mock, service].map((time) => `${(time / 1000).toFixed(2)} s`.padStart(10)).join('')
  console.log(machine)
  console.log(''.padEnd(8) + ['lint', 'page', 'mock', 'service'].map((name) => name.padStart(10)).join(''))
  await measureSaves(count, (times) => {
    all.push(times)
    console.log(row(`save ${all.length}`, times))
  })
  const median = (key: keyof SaveTimes): number => all.map((times) => times[key]).toSorted((a, b) => a - b)[all.length >> 1] ?? 0
  console.log(row('median', { lint: median('lint'), page: median('page'), mock: median('mock'), service: median('service') }))
}

async function measurePages(): Promise<void> {
  await mkdir(values.pictures, { recursive: true })
  const server = createServer(express().use(compression(), express.static(values.folder))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const found = await findChromium()
  if ('missing' in found) throw new Error(found.missing)
  const browser = await chromium.launch({
    executablePath: found.path,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    console.log(`${machine}, Chromium ${browser.version()}`)
    console.log('page'.padEnd(32), 'KB'.padStart(6), 'paint ms'.padStart(9), 'usable ms'.padStart(10))
    for (const path of paths) await measurePage(browser, root, path)
    console.log(`first search result after ${await searchMilliseconds(browser, root)} ms`)
  } finally {
    await browser.close()
    server.close()
  }
}

async function measurePage(from: Browser, root: string, path: string): Promise<void> {
  const page = await slowPage(from)
  let bytes = 0
  page.on(
    'response',
    (response) =>
      void response
        .request()
        .sizes()
        .then(
          ({ responseBodySize }) => (bytes += responseBodySize),
          () => 0,
        ),
  )
  await page.goto(`${root}/${path}.html`)
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  const { paint, usable } = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation')
    const [painted] = performance.getEntriesByName('first-contentful-paint')
    return {
      paint: painted?.startTime ?? 0,
      usable: navigation instanceof PerformanceNavigationTiming ? navigation.domContentLoadedEventEnd : 0,
    }
  })
  await page.screenshot({ path: join(values.pictures, `${path.replaceAll('/', '_')}.png`) })
  console.log(
    path.padEnd(32),
    (bytes / 1024).toFixed(0).padStart(6),
    paint.toFixed(0).padStart(9),
    usable.toFixed(0).padStart(10),
  )
  await page.close()
}

async function searchMilliseconds(from: Browser, root: string): Promise<string> {
  const page = await slowPage(from)
  await page.goto(`${root}/index.html`)
  await page.locator('#search').focus()
  await page.waitForFunction(() => window.searchEntries !== undefined)
  const started = performance.now()
  await page.keyboard.type('page')
  await page.locator('#found a').first().waitFor()
  const taken = performance.now() - started
  await page.close()
  return taken.toFixed(0)
}

async function slowPage(from: Browser): Promise<Page> {
  const page = await from.newPage({ viewport: { width: 1300, height: 1000 } })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  return page
}
