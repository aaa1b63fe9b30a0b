/** Changes of a brand to the site, apart from the contract. */

export interface Look {
  /** Replaces names in a text by those of the brand. */
  text(text: string): string
  /** The address that the forms of operations send calls to, unless the service itself serves the site. */
  readonly address: string
  /** The address of the site, with a trailing slash; by default, a path of the contract's first server. */
  readonly siteAddress?: string | undefined
  /** CSS appended to the style sheet of the site. */
  readonly style: string
  /** The image beside the name, which is also the icon of the site. */
  readonly logo: { readonly name: string; readonly bytes: Uint8Array } | undefined
}

export const ownLook: Look = { text: (text) => text, address: 'http://127.0.0.1:4000', style: '', logo: undefined }
