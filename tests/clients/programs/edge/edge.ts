import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { isObject } from '../../../harness/json.ts'
import { asRecord } from '../../install.ts'
import type { ServiceProcess } from '../../service.ts'
import type { Environment } from './worker.ts'
import { HANDBOOK, PARTS_SCOUT, type Setting } from '../program.ts'

const root = resolve(import.meta.dirname, '../../../..')

/** This project's own client, in an edge runtime. */
export async function edge({ run, installed, service }: Setting): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'clients-edge-'))
  try {
    await writeFile(join(folder, 'config.capnp'), await configuration(folder, service))
    const worker = await startWorker(String(asRecord((await installed.load('workerd'))['default'])['default']), folder)
    try {
      const names: unknown = await (await fetch(worker.url)).json()
      for (const name of Array.isArray(names) ? names.map(String) : [])
        await run.part(name, () =>
          run.value(name, async () => {
            const response = await fetch(`${worker.url}/${encodeURIComponent(name)}`)
            if (!response.ok) throw new Error(await response.text())
          }),
        )
    } finally {
      worker.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** All modules in the folder, with the names by which they import each other; the runtime does not read types. */
async function configuration(folder: string, service: ServiceProcess): Promise<string> {
  const modules = new Map<string, string>()
  for (const name of [relative(root, join(import.meta.dirname, 'worker.ts')), ...OWN.flatMap(sources)])
    modules.set(name, withoutTypes(await readFile(join(root, name), 'utf8')))
  // Without a package.json, the runtime looks for names beside the importing module.
  for (const name of ['openapi-fetch', 'eventsource-parser'])
    modules.set(`client/src/${name}`, await readFile(fileURLToPath(import.meta.resolve(name)), 'utf8'))
  const entries = [...modules].map(([name, code], index) => ({ name, code, file: `${index}.js` }))
  await Promise.all(entries.map(({ file, code }) => writeFile(join(folder, file), code)))
  const variables: Environment = { SERVICE: service.url, TOKEN: service.token, PARENT: HANDBOOK, AGENT: PARTS_SCOUT }
  const bindings = Object.entries(variables).map(([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`)
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "loopback", network = (allow = ["private"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
const main :Workerd.Worker = (
  modules = [${entries.map(({ name, file }) => `(name = "${name}", esModule = embed "${file}")`).join(', ')}],
  bindings = [${bindings.join(', ')}], compatibilityDate = "2026-01-01", globalOutbound = "loopback");`
}

function withoutTypes(code: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true }
  return ts.transpileModule(code, { compilerOptions }).outputText
}

const OWN = ['client/src', 'generated']

function sources(location: string): string[] {
  const names = readdirSync(join(root, location)).filter((name) => /^(?!types|handlers|validators).*\.ts$/.test(name))
  return names.map((name) => `${location}/${name}`)
}

async function startWorker(program: string, folder: string): Promise<{ readonly url: string; stop(): void }> {
  const child = spawn(program, ['serve', join(folder, 'config.capnp'), '--control-fd=3'], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  const [, , , control] = child.stdio
  if (!control || !('read' in control)) throw new Error('no control channel')
  const [chunk] = (await Promise.race([once(control, 'data'), once(child, 'exit')])) as unknown[]
  const result: unknown = chunk instanceof Buffer ? JSON.parse(chunk.toString().split('\n')[0] ?? '') : undefined
  if (!isObject(result) || typeof result['port'] !== 'number') throw new Error(`the runtime does not listen: ${String(chunk)}`)
  return { url: `http://127.0.0.1:${result['port']}`, stop: () => void child.kill() }
}
