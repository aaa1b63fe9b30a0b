/** Thrown if a package is missing that only some settings need. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage'
}

/**
 * Loads a package that a setting needs and that operators install themselves.
 * @param packages to install
 * @throws MissingPackage that says how to install them
 */
export async function loadOptional<Module>(
  load: () => Promise<Module>,
  setting: string,
  packages: readonly string[],
): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (!isNotFound(error)) throw error
    const names = packages.join(' ')
    throw new MissingPackage(`${setting} needs packages that are not installed. Run: npm install ${names}`, { cause: error })
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}
