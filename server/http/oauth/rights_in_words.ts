/** What a connection may do with a capability, or may not do without it. */
interface RightInWords {
  readonly words: string
  readonly isGiven: boolean
}

const RIGHTS: readonly (readonly [capability: string, words: string])[] = [
  ['read_content', 'Read the pages and databases that you share'],
  ['insert_content', 'Add pages, database rows and blocks to them'],
  ['update_content', 'Change what is in them, and move it to the trash'],
  ['read_comments', 'Read comments on them'],
  ['insert_comments', 'Comment on them'],
  ['interact_with_agents', 'Start agents by assigning them in people properties'],
]

/** The rights of a connection, as people read them. */
export function rightsInWords(capabilities: readonly string[]): RightInWords[] {
  const given = RIGHTS.filter(([capability]) => capabilities.includes(capability))
  return [...given.map(([, words]) => ({ words, isGiven: true })), peopleRight(capabilities)]
}

function peopleRight(capabilities: readonly string[]): RightInWords {
  if (capabilities.includes('read_user_with_email'))
    return { words: 'See the names, pictures and email addresses of everybody in the workspace', isGiven: true }
  if (capabilities.includes('read_user_without_email'))
    return { words: 'See the names and pictures of everybody in the workspace, but no email addresses', isGiven: true }
  return { words: 'It will not see who is in the workspace', isGiven: false }
}
