/**
 * Names and titles that are also words which news uses without meaning anybody: such a one counts only where a person or a group must be
 * meant. One word per entry; `_` is a space.
 */
const korean = `
가가 가온 가을 거미 겨울 경리 고운 고원 공원 공유 구구단 구름 굿데이 귀뚜 기온 김보 나라 나래 나리 나린 나비 너울 네이처 노선 노을 눈꽃 다원 다이아 다정 단발머리 단비 달린 달빛 대왕 데이데이 데이지 도시 동지 디오
라라 라임 레이 레인보우 로제 로즈 루나 루비 루이 리브 리즈 린 매미 먼데이 모카 문희 미래 미소 미연 민주 민트 바다 바람 반디 방탄 백호 벨 별 보라 보람 보미 보아 보은 봄 뷔 비 비밥 비비 빅뱅 빅토리아 빌리 사랑
사월 사쿠라 상아 새봄 샛별 서리 선 선샤인 선의 설 설원 성소 세러데이 세미 세정 소나무 소라 소리 소망 소설 소소 소연 소원 소유 소정 손 솔라 송이 쇼콜라 수영 수지 수혜 순이 스텔라 슬기 시그니처 시안 시크릿 신보라
신비 신화 아이들 아이리스 아이콘 안다 엄지 에이스 여름 여린 여자친구 여진 여치 연수 연정 연주 연지 연하 예지 오로라 온다 온도 우리 우아 우아! 우연 우주 위너 위클리 윈터 유니티 유리 유림 유채 윤 윤슬 은하 의리
이런 이브 이블 이유 이지 있지 자두 잔나비 적재 정아 정연 정화 조아 주 주연 주이 지니 지수 지연 지원 지인 지젤 진 진주 진하 진희 첫눈 첫사랑 첫차 체리 초롱 초봄 초연 초원 카라 케이 크리스탈 태양 터치드 트랜디
트레저 트리니티 틴탑 파나틱스 페이 펜타곤 편지 플레이백 픽시 하나 하늘 하니 하루 하이라이트 하지 한별 핫이슈 해리 해무 해시태그 햇살 화사 환승 활공 희망 희선
`;
const latin = `
a about ace after after_school agent alpha amber angel apple april aqua ark art aurora autumn baby bada bae beast bell belle
berry black blue boa boy brain brave brown bullet bus busters busy car caramel cherry child chocolat clear clear_sky cloud
club coral cosmic crayon crush crystal cyan daisy dark dark_cloud day day6 daybreak dear diamond door dream dreamcatcher
dynamic edge eve evolution exit eyed fanatics fantasy fifty first first_bus first_snow flight flower frost gain ghost girls
glam gold golden good good_day got grass great gummy happy hash haze heart hello highlight honey honey_popcorn hot hot_issue
hub i've icon infinite insects issue ive joy julie june kara key kids kiss lady lay life light lily lime limelight line lion
list liv love lucky luna march may maya melody midnight mint miss moment momo monday moon muses nada name nancy nature new
news newsun next night nine no north number ocean of omega one orange paper pentagon pink pixy playback pop popcorn power
pretty project punch purple queen rain rainbow real red rise river rocket rose route ruby run sakura saturday school sea
secret self semi set shine silver sky snow soda solar son soso soul spica star starlight stella stellar stray suga sugar
summer sun sunny sunshine swan tag teen the the_ark the_black to today top transfer treasure trendy trinity twice unity
velvet venus via victoria violet way weekly white white_night wind wing winner winter wonder wood yeah yes you young zero
`;

/** In small letters. */
export const everydayWords: ReadonlySet<string> = new Set(
  `${korean} ${latin}`
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll('_', ' ')),
);
