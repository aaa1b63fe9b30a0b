/** Runs both linters and brings their findings into one form. */

import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { isObject } from '../generate/document.ts'

export const projectRoot = resolve(import.meta.dirname, '../..')

/** One finding. `file` is relative to the project; `line` counts from 1 and is absent where only the file is known. */
export interface Problem {
  tool: 'redocly' | 'spectral'
  rule: string
  severity: 'error' | 'warning'
  message: string
  file: string
  line?: number
  /** where in the file, as a path of keys */
  place: string
}

/** Structure, references and examples of the sources, by Redocly and redocly.yaml. Throws when the tool itself fails. */
export async function lintSources(root: string): Promise<Problem[]> {
  const output = await runTool('@redocly/cli/bin/cli.js', [
    'lint',
    root,
    '--config=redocly.yaml',
    '--format=json',
    '--max-problems=10000',
  ])
  const report: unknown = JSON.parse(output)
  const problems = isObject(report) && Array.isArray(report['problems']) ? report['problems'].filter(isObject) : []
  return problems.map((problem) => {
    const location = Array.isArray(problem['location']) && isObject(problem['location'][0]) ? problem['location'][0] : {}
    const source = isObject(location['source']) ? String(location['source']['ref']) : ''
    const start =
      isObject(location['start']) && typeof location['start']['line'] === 'number' ? { line: location['start']['line'] } : {}
    return {
      tool: 'redocly',
      rule: String(problem['ruleId']),
      severity: problem['severity'] === 'error' ? 'error' : 'warning',
      message: String(problem['message']),
      file: relative(projectRoot, resolve(projectRoot, source)),
      ...start,
      place: String(location['pointer'] ?? ''),
    }
  })
}

/** The contracts as of each release date, by the same rules; one after the other, since each takes some hundred megabytes. */
export async function lintDatedContracts(folder: string): Promise<Problem[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml'))
  const found: Problem[] = []
  for (const name of names) found.push(...(await lintSources(join(folder, name))))
  return found
}

/** House law, by Spectral and .spectral.yaml, on a bundle. Findings name the source file of the component or path item. */
export async function lintBundle(bundle: string, specFolder: string): Promise<Problem[]> {
  const [output, sources] = await Promise.all([
    runTool('@stoplight/spectral-cli/dist/index.js', ['lint', bundle, '--ruleset=.spectral.yaml', '--format=json', '--quiet']),
    sourceFiles(specFolder),
  ])
  const report: unknown = JSON.parse(output)
  return (Array.isArray(report) ? report.filter(isObject) : []).map((problem) => {
    const path = Array.isArray(problem['path']) ? problem['path'].map(String) : []
    const range =
      isObject(problem['range']) && isObject(problem['range']['start'])
        ? Number(problem['range']['start']['line']) + 1
        : undefined
    const source = sources.get(path[0] === 'components' ? (path[2] ?? '') : '')
    return {
      tool: 'spectral',
      rule: String(problem['code']),
      severity: problem['severity'] === 0 ? 'error' : 'warning',
      message: String(problem['message']),
      file: source ?? relative(projectRoot, bundle),
      ...(source === undefined && range !== undefined ? { line: range } : {}),
      place: `#/${(source === undefined ? path : path.slice(3)).join('/')}`,
    }
  })
}

/** Component name -> source file, relative to the project. */
async function sourceFiles(specFolder: string): Promise<Map<string, string>> {
  const files = await readdir(specFolder, { recursive: true })
  return new Map(
    files
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => [basename(file, '.yaml'), join(relative(projectRoot, specFolder), file)]),
  )
}

/** Standard output of a tool of node_modules. Linters exit with 1 when they find something; without any output they have failed. */
async function runTool(entry: string, options: string[]): Promise<string> {
  const command = join(projectRoot, 'node_modules', entry)
  const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' }
  return new Promise((done, failed) => {
    execFile(
      process.execPath,
      [command, ...options],
      { cwd: projectRoot, env, maxBuffer: 256 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (stdout.trim() === '') failed(new Error(`${basename(dirname(entry))} failed: ${stderr || String(error)}`))
        else done(stdout)
      },
    )
  })
}
