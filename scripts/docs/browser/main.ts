/** What the pages do beyond being read. Each part stands alone; without scripts every page is complete. */

import { showAddress } from './address.ts'
import { offerCopies } from './copies.ts'
import { foldMenu } from './menu.ts'
import { keepRelease } from './release.ts'
import { search } from './search.ts'
import { tabSamples } from './tabs.ts'
import { chooseTheme } from './theme.ts'
import { offerCalls } from './try_it.ts'

keepRelease()
showAddress()
chooseTheme()
foldMenu()
tabSamples()
offerCalls()
offerCopies()
search()
