import { readdirSync, readFileSync } from 'node:fs'
import MarkdownItParser from 'markdown-it'
import { expect, it } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { parseHtml } from '../../../archive/src/foreign/html_tree.ts'
import { blockCounts, htmlCounts } from '../../../archive/src/import/content_counts.ts'
import { blocksIn, converted } from '../support/converted.ts'

const packages = Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies })

function readmeOf(name: string): string | undefined {
  const folder = `node_modules/${name}`
  const file = readdirSync(folder).find((entry) => /^readme\.(?:md|markdown)$/i.test(entry))
  return file === undefined ? undefined : readFileSync(`${folder}/${file}`, 'utf8')
}

it('READMEs of packages keep all headings, pictures and links that markdown-it finds, or list them', async () => {
  const reference = new MarkdownItParser({ html: true })
  const found = { headings: 0, pictures: 0, links: 0 }
  const missing: unknown[] = []
  for (const name of packages) {
    const readme = readmeOf(name)
    if (readme === undefined) continue
    const wanted = htmlCounts(parseHtml(reference.render(readme)).root.children)
    const { text, titles, losses } = await converted({ 'README.md': readme })
    const made = blockCounts(blocksIn(text))
    const listed = (kind: RegExp): number => losses.filter((loss) => kind.test(loss)).length
    const left = {
      headings: wanted.headings - made.headings - titles,
      pictures: wanted.pictures - made.pictures - listed(/^image /),
      links: wanted.links - made.links - listed(/^(?:link to|video|audio|embedded page) /),
    }
    if (Object.values(left).some((count) => count > 0)) missing.push({ name, ...left })
    found.headings += wanted.headings
    found.pictures += wanted.pictures
    found.links += wanted.links
  }
  expect(missing).toEqual([])
  // Ensures that the test has content to lose.
  expect(Math.min(...Object.values(found))).toBeGreaterThan(100)
})
