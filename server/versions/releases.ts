import type { ReleaseDate } from '../../generated/types.ts'
import { release as release20210513 } from './2021-05-13.ts'
import { release as release20210816 } from './2021-08-16.ts'
import { release as release20220222 } from './2022-02-22.ts'
import { release as release20220628 } from './2022-06-28.ts'
import { release as release20250903 } from './2025-09-03.ts'
import { release as release20260311 } from './2026-03-11.ts'
import type { Release } from './release.ts'

const FIRST_RELEASE: ReleaseDate = '2021-05-11'

/** The releases after the first, oldest first. If one of the contract is missing here, this does not compile. */
export const releases: readonly Release[] = Object.values({
  '2021-05-13': release20210513,
  '2021-08-16': release20210816,
  '2022-02-22': release20220222,
  '2022-06-28': release20220628,
  '2025-09-03': release20250903,
  '2026-03-11': release20260311,
} satisfies Record<Exclude<ReleaseDate, typeof FIRST_RELEASE>, Release>)
