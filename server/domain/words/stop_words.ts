/**
 * Words that say nothing about the subject of a text, by language. The lists are fixed: other words would give other summaries and
 * other answers for the same text. Languages that are written without spaces have none, because a run of their characters is no word.
 */
export const stopWords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    en: `a about above after again all also although always am among an and any are around as at away back be because been before being
      below between both but by can cannot could d did didn do does doesn doing don done down during each either else even ever every
      few for from further get gets give go goes going gone got had has hasn have haven having he her here hers herself hey hi him
      himself his how however i if in into is isn it its itself just kind know let like ll lot m many may maybe me might mine more
      most much must my myself need neither never no nor not now of off often oh ok okay on once one only onto or other our ours
      ourselves out over own per perhaps please quite rather re really right said same say says see shall she should so some something
      still such sure t than that the their theirs them themselves then there these they thing things think this those though through
      thus to too toward um under until up upon us ve very was wasn way we well were weren what when where whether which while who
      whom whose why will with within without won would yeah yes yet you your yours yourself`,
    es: `a al algo algunas algunos ante antes aquí así aún bien bueno cada casi como con contra cual cuando de del desde donde dos e el
      él ella ellas ellos en entre era eran eres es esa esas ese eso esos esta está estaba estamos están estas este esto estos estoy
      fue fueron ha haber había hace hacer hacia han hasta hay he hemos hoy la las le les lo los más me mi mientras mis mucho muchos
      muy nada ni no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque pues que qué quien quién se sea
      ser será si sí sido siempre sin sino sobre solo son soy su sus también tan tanto te tener tiene tienen todo todos tu tus tú un
      una unas uno unos usted ustedes va vamos vez voy y ya yo`,
    fr: `à ai aie ainsi alors après as au aucun aussi autre autres aux avant avec avez avoir avons bien bon c ça car ce ceci cela celle
      celui ces cet cette ceux chaque chez comme comment d dans de depuis des deux doit donc dont du elle elles en encore entre es est
      et étaient était été être eu eux fait faire faut font hors ici il ils j je jusque l la là le les leur leurs lors lui m ma mais
      même mes moi moins mon n ne ni non nos notre nous on ont ou où oui par parce pas peu peut peuvent plus pour pourquoi puis qu quand
      que quel quelle quelles quels qui quoi s sa sans se sera ses si soit son sont sous suis sur t ta tandis te tes toi ton tous tout
      toute toutes très trop tu un une va vers voici voilà vont vos votre vous y`,
    de: `aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da dabei damit danach
      dann das dass dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch eben ein eine
      einem einen einer eines er es etwas euch euer für gar gegen genau gibt haben habe hat hatte hatten hier hin hinter ich ihm ihn
      ihnen ihr ihre ihrem ihren im immer in ins ist ja jede jedem jeden jeder jedes jetzt kann kein keine keinen können könnte machen
      man mal mehr mein meine mich mir mit muss müssen nach nein nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem
      seinen sich sie sind so soll sollen sollte sondern sonst über um und uns unser unsere unter viel vom von vor war waren warum was
      weil weiter welche welcher wenn wer werde werden wie wieder will wir wird wo wollen worden wurde wurden zu zum zur zwar zwischen`,
    ko: `가장 각각 거기 것 그 그것 그냥 그녀 그는 그들 그래서 그러나 그러면 그런 그런데 그럼 그리고 까지 나 나는 내가 너무 네 다른 다시 대한 대해 더 또 또는
      때문에 때문 많이 매우 모든 무엇 바로 및 부터 수 아니 아니다 아주 어디 어떤 어떻게 언제 없는 없다 여기 여러 예 오늘 왜 우리 우리가 우리는 위해 이 이것 이런
      이렇게 이제 있는 있다 있습니다 있어요 저 저는 저희 정말 제가 좀 지금 하고 하는 하지만 한 할 함께 합니다 해야 했다 했습니다`,
    pt: `a à ao aos aquela aquele aqui as às assim até bem cada com como da das de dela dele deles depois do dos e é ela elas ele eles em
      então entre era eram essa esse esta está estão estamos estava este eu fazer foi foram há isso isto já la lhe lo mais mas me mesmo
      meu minha muito muitos na nada nas não nem no nos nós nossa nosso num numa o onde os ou outra outro para pela pelas pelo pelos
      pode por porque pouco pra qual quando que quem são se seja sem sempre ser será seu seus si sim só sobre sua suas também te tem têm
      temos tenho ter tudo tu um uma umas uns vai vamos vez vocês você vou`,
    ru: `а без более больше будем будет будто бы был была были было быть в вам вас ваш вдруг ведь весь во вот все всё всего всех вы где
      да даже для до другой его ее её ей ему если есть еще ещё ж же за здесь и из или им иногда их к как какая какой когда кого кто
      куда ли лучше между меня мне много может можно мой моя мы на над надо наконец нам нас наш не него нее ней нельзя нет ни нибудь
      никогда ним них ничего но ну о об один он она они оно опять от очень перед по под после потом потому почти при про просто раз
      разве с сам свой себе себя сейчас сегодня со совсем так такой там тебе тебя тем теперь то тогда того тоже только том тот тут ты
      у уж уже хоть хорошо чего чей чем через что чтобы чуть эта эти это этого этой этом этот эту я`,
    vi: `anh bạn bằng bị bởi các cái cần càng cả chỉ cho chứ chưa chúng có còn con cũng của cùng do dù đã đang đây đến đều đi điều đó
      được em gì hay hơn họ hoặc khi không là lại lên lúc mà mình mỗi một mới này nào nên nếu ngay như nhưng những ở phải qua ra rằng
      rất rồi sau sẽ số sự ta tại thể thì theo thế tôi trên trong trước từ tự và vào vậy về vì việc với vẫn vâng xin`,
    id: `ada adalah agar akan aku anda antara apa apakah atau atas bagaimana bagi bahwa banyak baru baik beberapa begitu belum berapa bila
      bisa boleh bukan dalam dan dapat dari dengan di dia dua hal hanya harus hingga ia ingin ini itu jadi jangan jika juga kalau kami
      kamu kan karena kata kau ke kembali kepada kita lagi lain lalu lebih maka mana masih mereka mungkin namun nya oleh orang pada para
      pernah pun saat saja sama sambil sampai sangat saya sebagai sebelum sebuah sedang sehingga sejak sekarang selain selalu semua
      seorang seperti serta setelah setiap siapa suatu sudah supaya tapi telah tentang terhadap tersebut tetapi tidak untuk ya yaitu
      yang`,
    da: `af aldrig alle alt altid at blev blive bliver da de deg dem den denne der deres det dette dig din disse dog du efter eller en end
      er et få får for for fordi fra gør han hans har havde have hej hen hende her hun hvad hvem hver hvis hvor hvordan i igen ikke ind
      jeg jer jo kan kom kommer kun lige man mange med meget men mig min mine mod må når nej nogen noget nogle nu ny og også om op os
      over på sådan sammen se selv sig sin sine skal skulle så som til ud uden under var ved vi vil ville vores være været`,
    fi: `aina ainakin ajan ei eivät ehkä eli en enemmän ennen että he hei heidän hyvin hän hänen ihan itse ja jo johon joita joka joko jos
      joten jotka juuri kaikki kanssa kautta kerran koko koska kuin kuinka kuitenkin kun kyllä me meidän mihin mikä miksi minkä minun
      minä missä mitä mukaan mutta muun muut myös ne niiden niin niitä no noin nyt ole olen olemme oli olisi olivat olla on ovat paljon
      pitää saa sekä se sen siellä siinä siis siitä sillä silloin sitten sitä tai tarvitsee te tässä tämä tämän tänään täällä tätä
      usein vaan vai vaikka vain vielä voi voidaan voivat yksi yli`,
    no: `alle alt at av bare ble bli blir bør da de deg dem den denne der dere deres det dette din disse du eller en enn er et etter få
      får for fordi fra gjøre gjør god ha hadde han hans har hei hele hennes her hun hva hvem hver hvis hvor hvordan hvorfor i igjen
      ikke ingen inn ja jeg kan kanskje kom kommer kunne man mange med meg mellom men mer min mitt mot må mye når nei noe noen nok nå
      og også om opp oss over på sa samme se seg selv si sin sine sist sitt skal skulle slik så som til tror ut uten under var ved vel
      vi vil ville vår være vært`,
    nl: `aan af al alle alleen als altijd andere ben bij daar dan dat de den der deze die dit doch doe doen door dus echt een eens eerst en
      er erg even gaan gaat ga ge geen goed haar had hadden heb hebben heeft hem hen het hier hij hoe hun iemand iets ik in is ja je jij
      jou jouw jullie kan kunnen maar maken me meer men met mij mijn moet moeten mogen na naar nee niet niets nog nou nu of om omdat
      onder ons onze ook op over redelijk reeds te tegen toch toen tot u uit uw van veel voor waar waarom wanneer want waren was wat we
      weer wel welke werd wezen wie wij wil willen worden wordt zal ze zei zelf zich zij zijn zo zoals zonder zou zullen`,
    it: `a abbiamo ad adesso ai al alla alle allo allora altre altri altro anche ancora avere aveva bene c che chi ci ciò cioè come con
      contro così cui da dai dal dalla dalle degli dei del dell della delle dello deve di dobbiamo dopo dove due e è ecco ed era erano
      essere fa fare fatto fino fra gli ha hanno ho i il in io l la le lei li lo loro lui ma me meno mi mia mio molto ne negli nei nel
      nella nelle nessuno no noi non nostra nostro o ogni oggi oppure ora per perché però più poco poi possiamo può proprio qua quale
      quando quanto quasi quella quelle quelli quello questa queste questi questo qui quindi sarà se sei sempre senza si sì sia siamo
      siete solo sono sopra sotto sta stato su sua subito sul sulla suo suoi tanto te ti tra troppo tu tua tuo tutta tutte tutti tutto
      un una uno va vi voi vostra vostro`,
    sv: `alla allt att av bara bli blir blev bra då dag de dem den denna deras dess dessa det detta dig din dina du där efter eftersom ej
      eller en er ett fick finns får för från göra gör ha hade han hans har hej hela henne hennes hon honom hur här i icke in ingen
      inom inte ja jag ju kan kanske kom kommer kunde man med mellan men mer mig min mina mot mycket måste ni nej nog nu när någon
      något några och också om oss på sa samma sedan sig sin sina själv ska skall skulle som så sådan till tycker under upp ut utan
      vad var vara varför varit varje vem vi vid vilka vilken vill vår våra väl än är åt över`,
    ar: `أن أنا أنت أنه أو أي أيضا أين إذا إلا إلى إن إنه الآن التي الذي الذين الى اليوم اما ان او اي بعد بعض بل بين تلك ثم جدا جميع حتى حول حيث
      خلال ذلك سوف على عليه عليها عن عند عندما غير فقط في فيه فيها قبل قد كان كانت كل كما كيف لا لأن لدينا لقد لكن لم لماذا لن له لها ليس
      ما ماذا متى مثل مع من منذ منه منها نحن نعم هؤلاء هذا هذه هل هم هنا هناك هو هي و وقد وكان ولا ولكن وهو وهي يا يجب يكون يمكن`,
    he: `או אבל אולי אותה אותו אותי אותם אז אחד אחרי אחרים איך אין איפה אל אלה אלו אם אני אנחנו אנו אף אפשר את אתה אתם בגלל בין בכל בלי
      גם דרך הוא היא היה היו היום הזה הזאת הם הן הנה זאת זה זו חייב טוב יהיה יותר יכול יש כאן כאשר כבר כדי כי כך ככה כל כמה כמו כן לא
      לאחר לא להיות להם לו לי לך לכן לנו לפני לפי מאוד מאד מה מול מי מן ממש מתי נו עד עוד עכשיו על עם פה צריך רק שאני של שלא שלה שלהם
      שלו שלי שלך שלנו שם תודה תמיד`,
    pl: `a aby albo ale ani aż bardzo bez bo był była było były być będzie będziemy chyba ci co coś czy czyli dla dlaczego dlatego do dobrze
      dzisiaj gdy gdyby gdzie go i ich ile im inne iż ja jak jako je jego jej jest jestem jesteśmy jeszcze jeśli jeżeli już każdy kiedy
      kto która które którego której który których którzy ma mają mam mamy mi mnie może można mój musimy my na nad nam nami nas nasz nawet
      nic nich nie niej niego nim niż no o od ona one oni ono oraz po pod podczas ponieważ potem przed przez przy raz również są się
      siebie skąd sobie swoje ta tak taka taki takie także tam te tego tej tematu ten teraz też to tobie tu tutaj tych tylko tym w wam
      was wasz we więc wszystkie wszystko wszyscy wtedy z za zawsze ze że żeby`,
  }).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
)
