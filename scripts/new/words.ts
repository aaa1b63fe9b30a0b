/** Converts a name into the forms for files, schemas, constants and sentences. */

/** `badge_rolls`, `badgeRolls` -> `BadgeRolls` */
export function pascalOf(name: string): string {
  return name.replaceAll(/(?:^|[_.])([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())
}

/** `badge_rolls` -> `badgeRolls` */
export function camel(name: string): string {
  const words = pascalOf(name)
  return words.charAt(0).toLowerCase() + words.slice(1)
}

/** `BadgeRolls`, `badgeRolls` -> `badge_rolls` */
export function snake(name: string): string {
  return name.replaceAll(/(?<=.)[A-Z]/g, '_$&').toLowerCase()
}

/** `BadgeRolls`, `badge_rolls` -> `badge rolls` */
export function spaced(name: string): string {
  return snake(name).replaceAll(/[_.]/g, ' ')
}

/** `badge_rolls` -> `Badge rolls` */
export function sentence(name: string): string {
  const words = spaced(name)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `Badges` -> `Badge`, `Entries` -> `Entry`, `Boxes` -> `Box`, `Notes` -> `Note` */
export function singular(noun: string): string {
  if (/ies$/.test(noun)) return noun.replace(/ies$/, 'y')
  if (/(?:ss|x|ch|sh)es$/.test(noun)) return noun.replace(/es$/, '')
  return /[^s]s$/.test(noun) ? noun.slice(0, -1) : noun
}

/** `a badge`, `an entry` */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}
