/** Version of this package, as package.json has it; a test holds them to each other. */
export const VERSION = '0.1.0'
