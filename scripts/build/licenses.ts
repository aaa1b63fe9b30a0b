import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * License texts of the bundled packages, which must be published with them.
 * @param folders of the packages
 */
export async function licensesOf(folders: readonly string[]): Promise<string> {
  const texts = await Promise.all(folders.map(licenseOf))
  const head = 'The program contains code from these packages, each under the license after its name.\n'
  return [head, ...new Set(texts)].join(`\n${'-'.repeat(80)}\n\n`)
}

async function licenseOf(folder: string): Promise<string> {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly version: string
    readonly license?: string
    readonly author?: string | { readonly name: string }
  }
  const file = (await readdir(folder)).find((entry) => /^(licen[cs]e|copying)(\.|-|$)/i.test(entry))
  const by = typeof author === 'object' ? author.name : author
  const text =
    file === undefined
      ? `License: ${license ?? 'see its package'}\n${by ? `Author: ${by}\n` : ''}`
      : await readFile(join(folder, file), 'utf8')
  return `${name} ${version}\n\n${text.trim()}\n`
}
