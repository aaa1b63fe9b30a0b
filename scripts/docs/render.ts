/** Renders the docs with Redoc into one file that needs nothing else, on the web or from a disk. */

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Document } from '../generate/document.ts'
import { docsDocument } from './document.ts'

const run = promisify(execFile)
const projectRoot = resolve(import.meta.dirname, '../..')
const versionsPage = join(projectRoot, 'generated/versions.md')

/** The page may use what it carries and its own server; Redoc would load its maker's logo. */
const contentPolicy =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; font-src data:; img-src 'self' data: blob:; connect-src 'self' blob:"

const head = `
  <meta http-equiv="Content-Security-Policy" content="${contentPolicy}" />
  <style>
    a[href="https://redocly.com/redoc/"] img { display: none }
    a[href="https://redocly.com/redoc/"] p::after { content: " Redoc" }
    td code { overflow-wrap: normal !important; word-break: keep-all !important }
  </style>`

/** Writes `index.html` into the folder. `extraHead` goes into the page's head. Throws with Redoc's words when it fails. */
export async function renderDocs(document: Document, folder: string, extraHead = ''): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'docs-'))
  try {
    const source = join(work, 'openapi.json')
    const page = join(work, 'index.html')
    await writeFile(source, JSON.stringify(docsDocument(document, await readFile(versionsPage, 'utf8'))))
    const title = `--title=${document.info.title} ${document.info.version}`
    const command = join(projectRoot, 'node_modules/@redocly/cli/bin/cli.js')
    await run(process.execPath, [command, 'build-docs', source, '--inlineBundle', title, '-o', page], {
      env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' },
      maxBuffer: 64 * 1024 * 1024,
    })
    const html = await readFile(page, 'utf8')
    await mkdir(folder, { recursive: true })
    await writeFile(
      join(folder, 'index.html'),
      html.replace('<meta charset="utf8" />', (charset) => `${charset}${head}${extraHead}`),
    )
  } finally {
    await rm(work, { recursive: true })
  }
}
