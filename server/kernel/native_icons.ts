import type { NativeIconColor } from '../../generated/types.ts'

/** Internal names of the built-in icon set. */
const NAMES = `
  airplane alarm anchor archive arrow-down arrow-left arrow-right arrow-up asterisk at backpack badge bank barcode battery bed bell
  bicycle binoculars boat bolt book bookmark books briefcase brush bug building bus cake calculator calendar camera candle car card
  cart cash castle cat chart chat check checkmark checklist chess circle clipboard clock cloud code coffee cog coin compass computer
  conversation cooking copyright credit-card crown cube cup cursor database diamond dice document dog door drafts drop droplet egg
  elevator envelope exclamation eye factory feather ferry film filter fire fish flag flash flask flower folder foot fork fuel
  game gift glasses globe gradebook graduate grapes groups guitar hammer hand hashtag headphones headset heart help helmet history
  home hourglass hospital ice-cream identification-badge image inbox info key keyboard kite knife ladder lamp laptop leaf library
  light-bulb light-switch link list location lock magic-wand mail map mathematics medal megaphone menu meteor microphone microscope
  mirror money moon mountain mouse movie-camera music navigation needle network news notification numbers paint palette paperclip
  parachute paste pause pen pencil people phone photo piano pill pin pizza plane planet play plug plus policeman potted-plant
  presentation printer priority-high priority-low priority-mid profile puzzle question quote radio rain receipt recycle refresh
  reorder report rocket ruler run sailboat satellite save scale science scissors search send seven share shield ship shirt shop
  shopping-basket shopping-cart shower skip-forward sleep sliders snail snippet snowflake sofa speaker spoon square stairs star
  stars stopwatch sun swap swimmer tag target taxi team telescope television temperature tent text thought ticket timeline
  token tools train translate trash tree triangle trophy truck t-shirt umbrella unlock upload user user-circle vase video wallet
  warning watch water wave website wheelchair wifi window wine wrench yarn`
  .trim()
  .split(/\s+/)

const BY_LOOSE_NAME = new Map(NAMES.map((name) => [loose(name), name]))
const COLORS: readonly NativeIconColor[] = [
  'gray',
  'lightgray',
  'brown',
  'yellow',
  'orange',
  'green',
  'blue',
  'purple',
  'pink',
  'red',
]

/** A name in the form for comparison: pickers ignore case, and treat spaces, underscores and hyphens alike. */
function loose(name: string): string {
  return name.toLowerCase().replace(/[ _-]+/g, '-')
}

/** Matches names that could be internal names of icons added to the set later. */
const INTERNAL_FORM = /^[a-z0-9_-]{1,50}$/

/**
 * The internal name for a name that a caller wrote. Icons outside the set are known only by their internal names.
 * @returns undefined if the name is neither in the set nor could be an internal name
 */
export function nativeIconName(written: string): string | undefined {
  return BY_LOOSE_NAME.get(loose(written)) ?? (INTERNAL_FORM.test(written) ? written : undefined)
}

/**
 * The built-in icon that a URL shows, if any: below the icon path of this service, or of a host of the brand
 * (`https://www.acme.example/icons/`), whose set may contain newer icons.
 * @param brand the first word of the protocol's headers, such as `Acme`
 */
export function nativeIconOfUrl(
  url: string,
  baseUrl: string,
  brand = 'Service',
): { name: string; color: NativeIconColor } | undefined {
  const isOwn = url.startsWith(`${baseUrl}/icons/`)
  const path = isOwn ? url.slice(`${baseUrl}/icons/`.length) : pathOnHostOf(brand, url)
  const [, written = '', shade] = /^(.+)_([a-z]+)\.svg$/.exec(path ?? '') ?? []
  const name = isOwn ? BY_LOOSE_NAME.get(loose(written)) : nativeIconName(written)
  const color = COLORS.find((known) => known === shade)
  return name !== undefined && color !== undefined ? { name, color } : undefined
}

/** The part after `/icons/` in a URL whose host is the brand's word with a top-level domain, or a subdomain of it. */
function pathOnHostOf(brand: string, url: string): string | undefined {
  if (brand === 'Service') return undefined
  const [, host = '', path] = /^https:\/\/([a-z0-9.-]+)\/icons\/([^/?#]+)$/i.exec(url) ?? []
  return host.toLowerCase().split('.').at(-2) === brand.toLowerCase() ? path : undefined
}
