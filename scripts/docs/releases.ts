/**
 * The files of the pages of all releases. A page that is the same in several consecutive releases is one file, in the folder of the newest
 * of them: the root for the newest release, `versions/<date>/` for others.
 */

import { relativeLink, type SitePage } from './pages/page.ts'

export interface ReleasePages {
  readonly date: string
  readonly pages: readonly SitePage[]
}

/** The file of a page as of a release; undefined if the release does not have the page. */
export interface Switch {
  readonly date: string
  readonly file: string | undefined
}

export interface SiteFile {
  readonly page: SitePage
  /** The path from the site's root without extension. */
  readonly file: string
  /** The releases in which the page is the same, newest first. */
  readonly dates: readonly string[]
  readonly switches: readonly Switch[]
  /** The file of another page as of the newest of these releases. */
  fileOf(path: string): string
}

/** The files of all pages. @param releases newest first */
export function siteFiles(releases: readonly ReleasePages[]): SiteFile[] {
  const files = releases.map(({ date }) => ({ date, byPath: new Map<string, string>() }))
  const found: { page: SitePage; file: string; dates: string[] }[] = []
  const latest = new Map<string, { page: SitePage; file: string; dates: string[] }>()
  for (const [location, { date, pages }] of releases.entries()) {
    for (const page of pages) {
      const newer = latest.get(page.path)
      const known = newer !== undefined && readsTheSame(newer.page, page) ? newer : undefined
      const entry = known ?? { page, file: newer === undefined ? page.path : `versions/${date}/${page.path}`, dates: [] }
      entry.dates.push(date)
      if (known === undefined) found.push(entry)
      latest.set(page.path, entry)
      files[location]?.byPath.set(page.path, entry.file)
    }
  }
  return found.map((entry) => ({
    ...entry,
    switches: files.map(({ date, byPath }) => ({ date, file: byPath.get(entry.page.path) })),
    fileOf: (path) => fileAsOf(files, entry.dates[0] ?? '', path),
  }))
}

function readsTheSame(one: SitePage, other: SitePage): boolean {
  return one.markdown === other.markdown && one.title === other.title
}

/** The file of a page as of a release. If the release lacks the page, that of the next newer release that has it. */
function fileAsOf(files: readonly { date: string; byPath: ReadonlyMap<string, string> }[], date: string, path: string): string {
  const location = files.findIndex((one) => one.date === date)
  const candidates = [...files.slice(0, location + 1).toReversed(), ...files.slice(location + 1)]
  return candidates.map(({ byPath }) => byPath.get(path)).find((file) => file !== undefined) ?? path
}

/**
 * The text of a page, with links to other pages and files.
 * @param siteAddress makes links absolute; without it, they are relative to the page's own file
 */
export function linkedMarkdown({ page, file, fileOf }: SiteFile, siteAddress?: string): string {
  const outsideCode = /(^```[\s\S]*?^```$|`+[^`\n]*`+)|\]\((?![a-z]+:|#)([^)#\s]*)(#[^)\s]*)?\)/gm
  return page.markdown.replaceAll(outsideCode, (whole, code: string | undefined, link: string | undefined, anchor = '') => {
    if (code !== undefined || link === undefined) return whole
    const target = pathFrom(page.path, link)
    const linked = target.endsWith('.md') ? `${fileOf(target.slice(0, -'.md'.length))}.md` : target
    return `](${siteAddress === undefined ? relativeLink(file, linked) : `${siteAddress}${linked}`}${String(anchor)})`
  })
}

/** The target of a link from the page at a path, relative to the site's root. */
function pathFrom(path: string, link: string): string {
  return new URL(link, `https://site/${path}`).pathname.slice(1)
}
