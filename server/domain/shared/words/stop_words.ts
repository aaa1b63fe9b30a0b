/**
 * Words that do not identify the subject of a text, by language. Do not change the lists: summaries of the same text would change.
 * Languages without spaces between words have no list.
 */
export const stopWords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    en: `a about above after again all also although always am among an and any are around as at away back be because been
      before being below between both but by can cannot could d did didn do does doesn doing don done down during each
      either else even ever every few find for from further get gets give go goes going gone got had has hasn have haven
      having he her here hers herself hey hi him himself his how however i if in into is isn it its itself just kind know
      let like list ll lot m make many may maybe me might mine more most much must my myself need neither never no nor not
      now of off often oh ok okay on once one only onto or other our ours ourselves out over own per perhaps please quite
      rather re really right said same say says see shall she should show so some something still such sure t tell than that
      the their theirs them themselves then there these they thing things think this those though through thus to too toward
      um under until up upon us ve very was wasn way we well were weren what when where whether which while who whom whose
      why will with within without won would yeah yes yet you your yours yourself`,
    es: `a además al algo alguna algunas algunos algún ante antes aquel aquella aquí así aunque aún bien bueno cada casi como
      con contra cual cuando cuanto cuál cuándo cuánto cómo de del desde donde dos durante dónde e el ella ellas ellos en
      entre era eran eres es esa esas ese eso esos esta estaba estamos estas este esto estos estoy está están fue fueron ha
      haber había hace hacer hacia han hasta hay he hemos hoy la las le les lo los me mi mientras mis mucho muchos muy más
      nada ni no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque puede pues que quien
      quién qué se sea ser será si sido siempre sin sino sobre solo son soy su sus sí también tan tanto te tener tiene
      tienen todo todos tras tu tus tú un una unas uno unos usted ustedes va vamos vez voy y ya yo él`,
    fr: `afin ai aie ainsi alors après as au aucun aussi autre autres aux avant avec avez avoir avons bien bon c car ce ceci
      cela celle celui ces cet cette ceux chaque chez comme comment contre d dans de depuis des deux devant doit donc dont
      du elle elles en encore entre es est et eu eux faire fait faut font hors ici il ils j je jusque l la le les leur leurs
      lors lui là m ma mais mes moi moins mon même n ne ni non nos notre nous on ont ou oui où par parce pas pendant peu
      peut peuvent plus pour pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa sans se sera seront ses si
      sinon soit son sont sous suis sur t ta tandis te tes toi ton tous tout toute toutes trop trouve très tu un une va vers
      voici voilà vont vos votre vous y à ça étaient était été être`,
    de: `aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist bitte da
      dabei damit danach dann das dass dein deine dem den denn der des dessen dich die dies diese diesem diesen dieser
      dieses dir doch dort du durch eben ein eine einem einen einer eines einige er es etwas euch euer für gar gegen genau
      gibt habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja
      jede jedem jeden jeder jedes jetzt kann kein keine keinen können könnte machen mal man mehr mein meine mich mir mit
      muss müssen nach nein nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen sich sie sind so soll
      sollen sollte sondern sonst um und uns unser unsere unter viel vom von vor wann war waren warum was weil weiter welche
      welchem welchen welcher welches wem wen wenn wer werde werden wie wieder will wir wird wirst wo wollen worden wurde
      wurden zeige zu zum zur zwar zwischen über`,
    ko: `가장 각각 거기 것 그 그것 그냥 그녀 그는 그들 그래서 그러나 그러면 그런 그런데 그럼 그리고 까지 나 나는 내가 너무 네 다른 다시 대한 대해 더 또 또는
      때문에 때문 많이 매우 모든 무엇 바로 및 부터 수 아니 아니다 아주 어디 어떤 어떻게 언제 없는 없다 여기 여러 예 오늘 왜 우리 우리가 우리는 위해 이 이것 이런
      이렇게 이제 있는 있다 있습니다 있어요 저 저는 저희 정말 제가 좀 지금 하고 하는 하지만 한 할 함께 합니다 해야 했다 했습니다`,
    pt: `a algum alguma além ante antes ao aos aquela aquele aqui as assim até bem cada com como contra cuja cujo da das de del
      dela dele deles depois desde deve do dos durante e ela elas ele eles em entre então era eram essa esse esta estamos
      estava este está estão eu fazer foi foram há isso isto já la lhe lo mais mas me mesmo meu minha muito muitos na nada
      nas nem no nos nossa nosso num numa não nós o onde os ou outra outro para pela pelas pelo pelos perto pode por porque
      pouco pra quais qual quando quanto que quem se seja sem sempre ser será seu seus si sim sob sobre sua suas são só
      também te tem temos tenho ter tinha toda todas todo todos tu tudo têm um uma umas uns vai vamos vez você vocês vou à
      às é`,
    ru: `а без более больше будем будет будто бы был была были было быть в вам вас ваш вдруг ведь весь во вот все всего всех
      всё вы где да даже для до другой его ее ей ему если есть еще ещё её ж же за здесь и из или им иногда их к как какая
      какие какой когда кого который кто куда ли либо лучше между меня мне много может можно мой моя мы на над надо наконец
      нам нас наш не него нее ней нельзя нет неё ни нибудь никогда ним них ничего но ну о об один однако он она они оно
      опять от очень перед по под пока после потом потому почему почти при про просто раз разве с сам свой себе себя сегодня
      сейчас сказал со совсем так также такой там тебе тебя тем теперь то тогда того тоже только том тот три тут ты у уж уже
      хорошо хоть хотя чего чей чем через что чтобы чуть эта эти это этого этой этом этот эту я`,
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
    fi: `aina ainakin ajan ehkä ei eivät eli emme en enemmän ennen entä että he hei heidän heille hyvin hän hänen ihan ilman
      itse ja jo johon joita joka jokainen joko jos joten jotka juuri jälkeen kaikki kanssa kautta kerran koko koska kuin
      kuinka kuitenkin kuka kun kyllä me meidän mihin miksi mikä millainen milloin millä minkä minun minä missä mitä mukaan
      mutta muun muut myös ne niiden niin niitä no noin nyt ole olemme olen olet olette oli olisi olivat olla olleet ollut
      on ovat paljon pitää saa se sekä sen siellä siinä siis siitä silloin sillä sinä sitten sitä tai tarvitsee te tämä
      tämän tänään tässä tätä täällä usein vaan vai vaikka vain vielä voi voidaan voivat yksi yli`,
    no: `alle alt at av bare ble bli blir bør da de deg dem den denne der dere deres det dette din disse du eller en enn er et etter få
      får for fordi fra gjøre gjør god ha hadde han hans har hei hele hennes her hun hva hvem hver hvis hvor hvordan hvorfor i igjen
      ikke ingen inn ja jeg kan kanskje kom kommer kunne man mange med meg mellom men mer min mitt mot må mye når nei noe noen nok nå
      og også om opp oss over på sa samme se seg selv si sin sine sist sitt skal skulle slik så som til tror ut uten under var ved vel
      vi vil ville vår være vært`,
    nl: `aan af al alle alleen als altijd andere ben bij daar dan dat de den der deze die dit doch doe doen door dus echt een
      eens eerst elk elke en er erg even ga gaan gaat ge geen goed haar had hadden heb hebben heeft hem hen het hier hij hoe
      hun ieder iemand iets ik in is ja je jij jou jouw jullie kan kunnen maar maken me meer men met mij mijn moet moeten
      mogen na naar nee niet niets nog nou nu of om omdat onder ons onze ook op over redelijk reeds sinds te tegen toch toen
      tot u uit uw van veel voor waar waarom wanneer want waren was wat we weer wel welke werd wezen wie wij wil willen
      worden wordt zal ze zei zelf zich zij zijn zo zoals zonder zou zullen`,
    it: `a abbiamo ad adesso agli ai al alla alle allo allora altre altri altro anche ancora avere aveva bene c che chi ci cioè
      ciò come con contro cosa così cui da dai dal dalla dalle degli dei del dell della delle dello dentro deve di dobbiamo
      dopo dove due e ecco ed era erano essere fa fare fatto fino fra gli ha hanno ho i il in invece io l la le lei li lo
      loro lui ma me meno mentre mi mia mio molto ne negli nei nel nella nelle nessuno no noi non nostra nostro o oggi ogni
      oppure ora per perché però più poco poi possiamo possono prima proprio può qua quale quali quando quanto quasi quella
      quelle quelli quello questa queste questi questo qui quindi sarà se sei sempre senza si sia siamo siete solo sono
      sopra sotto sta stato su sua subito sue sul sulla suo suoi sì tanto te ti tra troppo tu tua tuo tutta tutte tutti
      tutto un una uno va vi voi vostra vostro è`,
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
    pl: `a aby albo ale ani aż bardzo bez bo bym być był była było były będzie będziemy całe chyba ci co coś czy czyli dla
      dlaczego dlatego do dobrze dzisiaj dziś gdy gdyby gdzie go i ich ile im inne iż ja jak jaka jaki jakie jako je jego
      jej jest jestem jesteśmy jeszcze jeśli jeżeli już każdy kiedy kto która które którego której który których którzy lub
      ma mają mam mamy mi mnie może można musimy my mój na nad nam nami nas nasz nawet nic nich nie niego niej nim niż no o
      od ona one oni ono oraz po pod podczas ponieważ potem poza przed przez przy raz również siebie się skąd sobie swoje są
      ta tak taka taki takie także tam te tego tej tematu ten teraz też to tobie tu tutaj twoja twój tych tylko tym w wam
      was wasz we więc wszyscy wszystkie wszystko wtedy z za zawsze ze został że żeby`,
  }).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
)
