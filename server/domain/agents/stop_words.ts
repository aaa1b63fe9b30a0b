/** Words of at least three letters that say nothing about the subject of a question, by language. In lower case, with their accents. */
export const stopWords: readonly ReadonlySet<string>[] = [
  // English
  `about above after again all also and any are because been before being below between both but can could did does doing don down
   during each find for from further get give had has have having her here hers him his how into its itself just let list make may me
   might more most must not now off once one only other our ours out over own please same say shall she should show some such tell than
   that the their theirs them then there these they this those through too under until upon very was way were what when where whether
   which while who whom whose why will with would you your yours`,
  // German
  `aber alle allem allen aller alles als also auch auf aus bei bin bis bist bitte dann das dass dein deine dem den denn der des dessen
   dich die dies diese diesem diesen dieser dieses dir doch dort durch ein eine einem einen einer eines einige für gegen gibt habe haben
   hat hatte hier hin ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ist jede jedem jeden jeder jedes jetzt kann kein keine können mal man
   mehr mein meine mich mir mit muss nach nicht noch nun nur oder ohne sehr sein seine sich sie sind soll sollte sondern sonst über und
   uns unser unsere unter viel vom von vor wann war waren warum was weil welche welchem welchen welcher welches wem wen wenn wer werde
   werden wie wieder will wir wird wirst wo wurde wurden zeige zum zur zwischen`,
  // French
  `afin ainsi alors après aucun aussi autre aux avant avec avoir bien car ces cet cette ceux chaque chez comme comment contre dans des
   deux devant donc dont elle elles encore entre est été être eux fait faire il ils je les leur leurs lors lui mais même mes moi mon ne
   nos notre nous où par parce pas pendant peu peut plus pour pourquoi puis quand que quel quelle quelles quels qui quoi sans ses seront
   ses si sinon soit son sont sous sur tes toi ton tous tout toute toutes très trouve une vers vos votre vous`,
  // Spanish
  `además algo algún alguna ante antes aquel aquella aquí así aún aunque cada casi como cómo con contra cual cuál cuando cuándo cuanto
   cuánto del desde donde dónde dos durante ella ellas ellos entre era eran eres esa ese eso esta está estaba estamos están este esto
   estos fue fueron hace hasta hay las les los más mientras mis muy nada nos nosotros nuestra nuestro otra otro para pero poco por porque
   puede pues que qué quien quién ser sido sin sobre son soy sus también tan tanto tiene todo todos tras una unas uno unos usted`,
  // Italian
  `agli alla alle allo anche ancora avere aveva che chi ciò come con contro cosa così cui dal dalla dalle degli dei del della delle dello
   dentro dopo dove due era erano essere fare fino fra gli hanno il invece loro lui mentre mia mio molto nei nel nella nelle noi non
   nostra nostro ogni per perché però più poi possono prima può quale quali quando quanto quella quelle quelli quello questa queste
   questi questo sarà sei sia sono sopra sotto sua sue sul sulla suo tra tutti tutto una uno vostra vostro`,
  // Portuguese
  `além algum alguma ante antes aos aquela aquele aqui assim até cada com como contra cuja cujo das del dela dele depois desde deve dos
   durante ela elas ele eles entre era eram essa esse esta está estão estava este foi foram isso isto lhe mais mas meu minha muito nas
   não nem nos nós nossa nosso num numa onde para pela pelas pelo pelos perto pode por porque quais qual quando quanto que quem são sem
   ser seu seus sob sobre sua suas também tem tinha toda todas todo todos uma você vocês`,
  // Dutch
  `aan alle als bij dan dat deze die dit doen door dus een eens elk elke geen haar had heb hebben heeft hem hen het hier hij hoe hun iets
   ieder ik jij jou jouw jullie kan kunnen maar meer men met mij mijn moet naar niet niets nog omdat onder ons onze ook over sinds tegen
   toch toen tot uit van veel voor waar waarom wanneer waren wat wel welke werd wie wij wil worden wordt zal zei zelf zich zij zijn zonder
   zou`,
  // Swedish, Danish, Norwegian
  `alla alle allt att av bara blev blir bliver blive både day deg dem den denna denne der deras deres det detta dette dig din dina dine
   disse dock eller efter eftersom ein ett etter finns flera for fram från för fra get gjorde göra had hade hadde han hans har hela her hon
   honom hos hur hva hvad hvem hver hvilke hvilken hvis hvor hvordan hvorfor här ikke ingen inte kan kommer kun kunde kunne man med mellan
   mellem men mer mig min mina mine mitt mot mycket må nej nogen noen nog noe något någon når när och också ofte også omkring oss over
   samma samme seg selv ska skal skall skulle som sig sin sina sine sitt så sådan til till under upp utan uten var vad vara varför vem
   ved vid vil ville vilka vilken være vår vårt åt än över`,
  // Finnish
  `ehkä eivät emme ennen entä että hän hänen heidän heille ilman itse jälkeen joka jokainen jos joten jotka kaikki kanssa kuin kuinka
   kuka kun kyllä mihin miksi mikä millä millainen milloin minä missä mitä mukaan mutta muut myös niiden niin noin nyt olemme olen olet
   olette oli olivat olla olleet ollut ovat paljon sekä sen siellä siinä siitä sinä sitä tai tämä tässä tätä vaan vai vain vielä voi`,
  // Polish
  `ale albo ani bardzo bez był była było były być bym całe czy czyli dla dlaczego dlatego dziś gdy gdyby gdzie ich ile inne jak jaka jaki
   jakie jako jego jej jest jestem jeszcze jeśli już każdy kiedy kto która które który których lub mają mamy mnie może można nad nam nas
   nasz nic nich nie niż oraz pod poza przed przez przy raz się sobie są tak także tam tego tej ten też tutaj twoja twój tych tylko tym
   wszystko wtedy wam was wasz więc został`,
  // Russian
  `без более больше будет будто бы был была были было быть вам вас ведь весь вот все всего всех где даже для его если есть ещё еще здесь
   или как какая какие какой когда который кто куда ли либо между меня мне много может можно мой моя над надо нас наш него нее неё нет ни
   них нибудь никогда ничего однако она они оно опять перед под пока после потом потому почему почти при про раз разве сам себе себя
   сейчас сказал так также такой там тебя тем теперь тоже только тот три тут уже хоть хотя чего чем через что чтобы чуть эта эти это этого
   этой этом этот`,
].map((text) => new Set(text.split(/\s+/)))
