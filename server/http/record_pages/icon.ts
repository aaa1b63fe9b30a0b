import type { Icon } from '../../../generated/types.ts'
import { markup, type Html } from '../oauth/html.ts'
import { ownFile } from './links.ts'
import type { SiteAddress } from './site_address.ts'

/** An icon. Screen readers ignore it, because the title is beside it. Icons on other hosts are not loaded. */
export function iconElement(site: SiteAddress, icon: Icon | null, kind: 'page' | 'database' | 'none' = 'none'): Html | undefined {
  switch (icon?.type) {
    case 'emoji':
      return markup`<span class="icon" aria-hidden="true">${icon.emoji}</span>`
    case 'icon':
      return markup`<span class="icon dot dot-${icon.icon.color}" aria-hidden="true" title="${icon.icon.name}"></span>`
    case 'custom_emoji':
      return picture(site, icon.custom_emoji.url) ?? kindIcon(kind)
    case 'file':
      return picture(site, icon.file.url) ?? kindIcon(kind)
    case 'external':
    case undefined:
      return kindIcon(kind)
  }
}

function kindIcon(kind: 'page' | 'database' | 'none'): Html | undefined {
  return kind === 'none' ? undefined : markup`<span class="icon kind-${kind}" aria-hidden="true"></span>`
}

function picture(site: SiteAddress, address: string): Html | undefined {
  const path = ownFile(site, address)
  return path === undefined ? undefined : markup`<img class="icon" src="${path}" alt="">`
}
