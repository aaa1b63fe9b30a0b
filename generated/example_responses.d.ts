// The response examples of the contract.
// Made from spec/ by `npm run generate`. Do not edit.

import type { ExampleNames } from './example_names.ts';

/** Bodies, by the names of examples. */
export declare const exampleBodies: Readonly<Record<string, unknown>>;

/** The responses of each operation: status, name, body and media type. The first one is the default. */
export declare const exampleResponses: Readonly<
  Record<keyof ExampleNames, readonly (readonly [status: number, name: string, example: string, mediaType: string])[]>
>;
