import type { PageEntry, PageTree } from '../../domain/content/index.ts'
import { markup, type Html } from '../oauth/html.ts'
import { iconElement } from './icon.ts'
import { recordPath } from './links.ts'
import type { SiteAddress } from './site_address.ts'

/** The pages at the top of the workspace, and those around the shown one. @param currentId the id of the shown page, if a page is shown */
export function sidebarOf(site: SiteAddress, tree: PageTree, currentId: string | undefined): Html {
  const list = (entries: readonly PageEntry[]): Html | undefined =>
    entries.length === 0
      ? undefined
      : markup`<ul>${entries.map((entry) => {
          const below = list(tree.below.get(entry.id) ?? [])
          return markup`<li><a href="${recordPath(site, entry.id)}"${entry.id === currentId && markup` aria-current="page"`}>${iconElement(site, entry.icon, entry.kind)}<span>${entry.title}</span></a>${below}</li>`
        })}</ul>`
  return markup`<nav class="tree" id="pages" aria-label="Pages"><h2>Pages</h2>
${list(tree.roots) ?? markup`<p class="soft">No pages yet.</p>`}</nav>`
}
