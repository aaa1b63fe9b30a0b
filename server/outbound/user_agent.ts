/** The name of the program, used unless a deployment has a brand. */
export const PROGRAM = 'workspace-service'

/**
 * The `User-Agent` that other hosts see: the deployment's brand, if any.
 * @param brands first words of the protocol's own headers, the deployment's last
 */
export function userAgentOf(brands: readonly string[]): string {
  const brand = brands.at(-1)
  return brand === undefined || brand === 'Service' ? PROGRAM : brand
}
