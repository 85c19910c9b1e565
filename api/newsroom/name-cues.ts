import { hangul } from './name-forms.ts';

/**
 * What stands beside a name and says what it is: a particle, a role, a title, a quotation, a group. All patterns look at the text directly before
 * (`…$`) or directly after (`^…`) a name.
 */

/** Nouns that grow onto a Korean name: `아이유표`, `뉴진스발`, `윤하님`. */
const suffix = '(?:측|표|발|팬들?|소속|출신|멤버들?|님|씨|양|군|네|들)';
/** Particles by whether the syllable before them is closed; those that do not care stand in `other`. */
const afterClosed = '(?:은|이|을|과|으로|아|이라|이란|이랑|이나|이며|이야|이자|이고|인|일|이었|입니|이다)';
const afterOpen =
  '(?:입니|이다|이자|이며|이고|이라|이란|이었|는|가|를|와|로|야|여|라|란|랑|나|며|자|고|였|다)';
const other =
  '(?:의|에|도|만|께|께서|에게|에게서|에서|한테|까지|부터|처럼|보다|마저|조차|밖에|뿐|하고|같이|답|스러|마다|만큼|대로|에선|에겐|서|는|은|라고|라는|라며|이라고|이라는|니다|다|던|과|와|랑|지만|이지만)';
const rest = `(?:${other}|${afterOpen}|${afterClosed})*(?![가-힣])`;
const particlesAfterClosed = new RegExp(
  `^(?:${suffix}?${rest}|(?:이)?(?:${afterClosed}|${other})${rest}|이(?:${afterOpen}|${other})?${rest})`,
);
const particlesAfterOpen = new RegExp(`^(?:${suffix}${rest}|(?:${afterOpen}|${other})${rest})`);
const suffixAndRest = new RegExp(`^${suffix}${rest}`);

const isClosed = (syllable: string): boolean => (syllable.charCodeAt(0) - 0xac00) % 28 !== 0;

/** Whether what follows a name can be its particles, by how the name ends: `하늘이` and `바다가`, but neither `하늘가` nor `바다은`. */
export function isParticle(name: string, after: string): boolean {
  const last = name.charAt(name.length - 1);
  // How a name in Latin letters is spoken is not known.
  if (!hangul.test(last)) return particlesAfterOpen.test(after) || particlesAfterClosed.test(after);
  if (suffixAndRest.test(after)) return true;
  return isClosed(last)
    ? particlesAfterClosed.test(after) && !/^(?:는|가|를|와|로(?!부터)|야|여|라|란|랑|나|며)/.test(after)
    : particlesAfterOpen.test(after) && !/^(?:은|이(?![라란자다며고었])|을|과|으로|아)/.test(after);
}

const words = (text: string) => text.trim().split(/\s+/).join('|').replaceAll('_', '\\s');

const koreanRoles = words(
  '가수 배우 멤버 리더 막내 래퍼 보컬 메인보컬 메인댄서 센터 맏언니 아이돌 솔로 솔로가수 싱어송라이터 댄서 MC DJ 디바 여배우 방송인 뮤지션 아티스트',
);
const koreanGroups = words('그룹 걸그룹 보이그룹 아이돌그룹 밴드 듀오 유닛 신인그룹 팀');
const roles = words(
  `singer singers actress actor idol idols member members rapper vocalist leader soloist star stars drummer guitarist bassist dancer
  singer-songwriter host hosts penyanyi pelakon ahli penari pengacara bintang ca_sĩ diễn_viên nữ_diễn_viên nam_diễn_viên thành_viên rapper
  trưởng_nhóm thần_tượng nữ_ca_sĩ nam_ca_sĩ ngôi_sao nghệ_sĩ`,
);
const groups = words(
  'group groups band duo trio quartet girl_group boy_group sub-unit unit rookies rookie kumpulan kugiran nhóm nhóm_nhạc ban_nhạc bộ_đôi',
);

const opened = `[\\s‘'’"“”,:(]*$`;
const roleBefore = new RegExp(`(?:(?<![가-힣])(?:${koreanRoles})|(?<![\\p{L}])(?:${roles}))${opened}`, 'iu');
const groupBefore = new RegExp(
  `(?:(?<![가-힣])(?:${koreanGroups})|(?<![\\p{L}])(?:${groups}))${opened}`,
  'iu',
);
const honorific = /^\s?(?:씨|님|양|군)(?![가-힣])/;
/** `제니 “…”` of a headline; `said Rosé`, `Rosé nói`. */
const quoteAfter = /^[은는이가]?[,:]?\s?[“"‘']/;
const speechAfter =
  /^(?:[은는이가]|\s(?:says|said|thanks|thanked|greets|greeted|told|tells|shares|shared|adds|added|kata|berkata|menyapa|ujar|nói|chia sẻ|cho biết|chào|cảm ơn)(?!\p{L}))/u;
const koreanSpeech =
  /(?:말했|말한|전했|전해|밝혔|밝혀|인사했|인사를|인사 |인사$|설명했|덧붙였|소감|고백했|외쳤|답했|이라고 했|다고 했|고 했다|손을 흔들|웃었|웃으며|불렀|노래했|부른)/;
const speechBefore = /(?:said|says|kata|ujar|nói)\s$/u;

/** Whether a role, a title of respect or speech says that a person is named here. */
export function namesPerson(before: string, after: string, sentenceAfter: string): boolean {
  if (roleBefore.test(before) || honorific.test(after) || speechBefore.test(before)) return true;
  if (/^[은는이가]?[,:]?\s?[“"]/.test(after) || (quoteAfter.test(after) && koreanSpeech.test(sentenceAfter)))
    return true;
  const speech = speechAfter.exec(after);
  if (!speech) return false;
  return /^[은는이가]/.test(speech[0]) ? koreanSpeech.test(sentenceAfter) : true;
}

/** Whether it says `the group` before a name. */
export const namesGroup = (before: string): boolean => groupBefore.test(before);

/** A title after a Korean name or before another one: somebody of another trade. */
const koreanTitle =
  /^\s?(?:국회의원|의원|대표|교수|기자|감독|PD|피디|작가|장관|시장|군수|회장|사장|이사|선수|코치|변호사|아나운서|앵커|셰프|원장|박사|판사|검사|위원장?|총리|대통령|의사|평론가|연구원)(?![가-힣]{3})/;
const otherTrade = words(
  `director professor prof. reporter journalist minister senator mayor coach striker goalkeeper footballer author chef producer critic lawyer
  dr. ceo pengarah profesor wartawan menteri jurulatih pemain penulis datuk đạo_diễn giáo_sư phóng_viên bộ_trưởng huấn_luyện_viên cầu_thủ tác_giả
  nhà_văn`,
).replaceAll('.', '\\.');
const tradeBefore = new RegExp(`(?<![\\p{L}])(?:${otherTrade})\\s$`, 'iu');

export const namesOtherTrade = (before: string, after: string): boolean =>
  koreanTitle.test(after) || tradeBefore.test(before);

/** What people of the field do: a sentence with one of these is likely to mean the star of a name. */
const koreanActivity =
  /신곡|앨범|싱글|컴백|데뷔|무대|콘서트|팬미팅|팬사인회|팬들|화보|뮤직비디오|음원|노래|안무|챌린지|쇼케이스|시사회|포토월|음악 ?방송|라디오|예능|드라마|영화|출연|OST|출국|입국|공항|라이브|투어|공연|커버|믹스테이프|유튜브|브이로그|행사|레드카펫|시상식|뮤지컬|연극|페스티벌|축제|차트|티저|발매/;
const activity = words(
  `songs? single singles album track ballad duet stage concerts? tour fans? debut comeback show radio drama film series premiere performs?
  performed sings? sang singing festival awards? covers? dance dances choreography photo magazine showcase chart challenge greets? studio encore
  lagu pentas konsert peminat album drama filem persembahan menyanyi tarian menari majlis anugerah rancangan carta jelajah tayangan studio festival
  ca_khúc bài_hát sân_khấu hòa_nhạc khán_giả người_hâm_mộ đĩa_đơn album phim lễ_hội lễ_trao_giải biểu_diễn hát chương_trình vũ_đạo nhảy
  lưu_diễn nhạc_kịch thời_trang sự_kiện fashion acara fesyen`,
);
const otherActivity = new RegExp(`(?<![\\p{L}])(?:${activity})(?![\\p{L}])`, 'iu');
export const namesActivity = (sentence: string): boolean =>
  koreanActivity.test(sentence) || otherActivity.test(sentence);

const koreanLink = `(?:출신|멤버|리더|막내|메인보컬|메인댄서|보컬|래퍼|센터|맏언니|가수|배우|솔로|전|겸|그룹|댄서)`;
const link = words(
  `former formerly ex- current new main lead leader vocalist rapper singer actress member members star alumni alum the a an one sub-unit unit
  bekas ahli penyanyi pelakon ketua thành_viên cựu ca_sĩ trưởng_nhóm nhóm nhóm_nhạc rookie`,
);
/** Between a group and its member: `에스파 닝닝`, `여자친구 출신 소원`, `BLACKPINK's Lisa`, `SECRET NUMBER members Dita`. */
const groupThenMember = new RegExp(
  `^(?:의|['’]s?|\\(\\p{Lu}+\\))?(?:[\\s:()‘'“"-]+(?:(?:${koreanLink}(?:인|이자)?|${link})[\\s,:]*)*[‘'“"]?|\\()$`,
  'iu',
);
/** Between a member and its group: `Jisoo of BLACKPINK`, `제시카(소녀시대 출신)`, `Victoria, bekas ahli f(x)`, `Minji NewJeans`. */
const memberThenGroup = new RegExp(
  `^(?:\\s?\\(|[\\s,]+(?:(?:of|from|daripada|dari|của|with|cùng|các|${link})[\\s,]*)*(?:girl\\s|boy\\s)?(?:group\\s|kumpulan\\s)?)$`,
  'iu',
);
export const introduces = (between: string): boolean => groupThenMember.test(between);
export const attributes = (between: string): boolean =>
  memberThenGroup.test(between) && !/^,\s*$/.test(between);

/** Between two names of a list: `윈터와 카리나`, `Natty, Julie and Belle`, `예지·류진`. */
export const joins = (between: string): boolean =>
  /^(?:\s?[·ㆍ/&+]\s?|\s?,\s?(?:and |dan |và )?|(?:와|과|이랑|랑|하고)\s|\s(?:and|dan|và|및|&|x|X)\s)$/u.test(
    between,
  );
