import { glob, readFile, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { parse, type ParserPlugin } from '@babel/parser'
import type { Program } from '@babel/types'

export interface CodeFile {
  /** Relative to the folder, with slashes. */
  readonly path: string
  readonly program: Program
}

export interface CodeBase {
  readonly files: ReadonlyMap<string, CodeFile>
  /** Files that cannot be parsed, with the reason. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[]
}

const PATTERN = '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}'
/** Folders without hand-written code. */
const SKIPPED = /^(\..+|node_modules|dist|coverage)$/
const FILE_BYTES_MAX = 2_000_000

/** Parses the TypeScript and JavaScript below a folder. */
export async function readCodeBase(folder: string): Promise<CodeBase> {
  const files = new Map<string, CodeFile>()
  const unreadable: { path: string; reason: string }[] = []
  for await (const name of glob(PATTERN, {
    cwd: folder,
    exclude: (entry) => SKIPPED.test(entry.slice(entry.lastIndexOf(sep) + 1)),
  })) {
    const path = name.replaceAll(sep, '/')
    if (path.endsWith('.d.ts')) continue
    try {
      if ((await stat(join(folder, name))).size > FILE_BYTES_MAX) throw new Error(`more than ${FILE_BYTES_MAX} bytes`)
      files.set(path, { path, program: parsed(path, await readFile(join(folder, name), 'utf8')) })
    } catch (error) {
      unreadable.push({ path, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  return { files, unreadable }
}

function parsed(path: string, text: string): Program {
  const isTypeScript = /ts$|tsx$/.test(path)
  const plugins: ParserPlugin[] = [
    ...(isTypeScript ? (['typescript'] as const) : []),
    ...(/\.[cm]?ts$/.test(path) ? [] : (['jsx'] as const)),
    'decorators',
  ]
  return parse(text, { sourceType: 'unambiguous', errorRecovery: true, allowReturnOutsideFunction: true, plugins }).program
}

const ENDINGS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '/index.ts', '/index.tsx', '/index.js']

/** The file that a relative import in another file refers to. */
export function importedFile({ files }: CodeBase, from: string, source: string): CodeFile | undefined {
  if (!source.startsWith('.')) return undefined
  const path = join(dirname(from), source).replaceAll(sep, '/')
  // A TypeScript file is also imported by the name of its output.
  const names = [path, path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')]
  return ENDINGS.flatMap((ending) => names.map((name) => files.get(name + ending))).find((file) => file !== undefined)
}
