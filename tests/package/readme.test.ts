import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { children } from '../harness/content.ts'
import { png } from '../harness/files.ts'
import { at } from '../harness/json.ts'
import { keepService, type RunningProcess } from '../harness/process.ts'
import { TOKEN } from '../harness/server.ts'

// The blocks of README.md, run as pasted: with the Node and npm of the reader, in a folder of their own.

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
/** Without the programs of the project, so that `node` and `npm` are those that are installed on the machine. */
const readersPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((path) => !path.includes('node_modules'))
  .join(delimiter)

let folder: string
let service: RunningProcess
let text: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'readme-'))
  text = await readFile(join(root, 'README.md'), 'utf8')
  service = await keepService()
})
afterAll(async () => {
  service?.kill()
  await rm(folder, { recursive: true, force: true })
})

const environment = (): Record<string, string> => ({
  PATH: readersPath,
  HOME: process.env['HOME'] ?? '',
  TOKEN,
  SERVICE: service.url,
  npm_config_offline: 'true',
})

/** The code block that contains a text. */
function block(part: string): string {
  const found = [...text.matchAll(/^```\w+\n(.+?)^```$/gms)].map(([, code = '']) => code).filter((code) => code.includes(part))
  if (found.length !== 1) throw new Error(`${found.length} blocks of README.md contain ${part}`)
  return found[0] ?? ''
}

/** Writes the block with this path in its first line to that file. @returns the name of the file */
async function save(path: string, into: string): Promise<string> {
  const name = path.split('/').at(-1) ?? ''
  await writeFile(join(into, name), block(`// ${path}\n`))
  return name
}

async function expectPicture(pageId: string): Promise<void> {
  const blocks = await children(service.owner, pageId)
  expect(blocks.map((block) => at(block, 'image', 'type'))).toContain('file')
}

it('the first requests make a page with nested blocks and read it back', async () => {
  const commands = block('export TOKEN=…')
    .replace(/^export TOKEN=.*$/m, '')
    .replaceAll('http://127.0.0.1:4000', service.url)
  const { stdout } = await run('sh', ['-euc', commands], { cwd: folder, env: environment() })
  const { results } = JSON.parse(stdout) as { results: { type: string }[] }
  expect(results.map(({ type }) => type)).toEqual(['heading_2', 'toggle', 'table'])
})

it('the client is installed into an empty folder, lists blocks, uploads a picture and streams a turn', async () => {
  // What is installed from the folder of the repository is what a registry would give: the packed client and its dependencies.
  const commands = block('npm pack -w @workspace-service/client')
  expect(commands).toMatch(
    /^npm pack -w @workspace-service\/client\nmkdir tides && cd tides && npm init -y\nnpm install \.\.\/workspace-/,
  )
  await run('npm', ['pack', '--silent', '-w', '@workspace-service/client', '--pack-destination', folder], { cwd: root })
  const install = commands.split('\n').slice(1).join('\n').replace('npm install', 'npm install --prefer-offline')
  await run('sh', ['-euc', install], { cwd: folder, env: { ...environment(), npm_config_offline: 'false' } })
  const tides = join(folder, 'tides')
  await writeFile(join(tides, 'dock.png'), png)
  for (const [path, expected] of [
    ['tides/blocks.mjs', /^(?:\w+ [0-9a-f-]{36}\n)+$/],
    ['tides/page.mjs', /^[0-9a-f-]{36}\n$/],
    ['tides/agent.mjs', /^session\.snapshot\n[^]*stream\.end\n$/],
  ] as const) {
    const { stdout, stderr } = await run('node', [await save(path, tides)], { cwd: tides, env: environment() })
    expect(stdout, path).toMatch(expected)
    expect(stderr, path).toBe('')
    if (path === 'tides/page.mjs') await expectPicture(stdout.trim())
  }
})
