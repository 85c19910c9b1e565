import { type Lang, languages } from '#content/locales.ts';
import { chance } from '../random.ts';

/** Parts that make a sentence when one of each is said in order. */
type Parts = readonly [readonly string[], readonly string[], readonly string[]];

/** The parts of a line that bars separate. */
const list = (line: string) => line.split('|').map((part) => part.trim());

const sentences: Record<Lang, Parts> = {
  ko: [
    list(`지난 주말 | 이른 아침 | 공연 첫날 | 리허설이 끝난 뒤 | 녹음실 불이 꺼지기 전 | 비가 그친 저녁 | 팬들 앞에서 | 막이 오르자 | 오랜 준비 끝에 |
      마지막 곡을 앞두고 | 관계자에 따르면 | 예상과 달리 | 두 번째 무대에서 | 소속사는 | 현장에서`),
    list(`새 앨범의 첫 곡은 | 안무를 맡은 팀은 | 객석을 채운 불빛은 | 멤버들이 고른 편곡은 | 무대 뒤의 짧은 인사는 | 세 번 고쳐 쓴 가사는 | 기타 한 대로 만든 반주는 |
      드라마의 마지막 장면은 | 손으로 적은 편지는 | 이번 투어의 세트는 | 낡은 연습실의 거울은 | 관객이 함께 부른 후렴은 | 감독이 남겨 둔 침묵은 |
      라디오에서 흘러나온 목소리는`),
    list(`오래 기억에 남을 순간을 만들었다. | 예정보다 십 분 먼저 시작됐다. | 처음부터 끝까지 한 호흡으로 이어졌다. | 작은 실수까지 그대로 담아 웃음을 남겼다. |
      다음 도시에서도 같은 자리를 지킬 예정이다. | 듣는 사람에 따라 다르게 들린다고 했다. | 겨울이 오기 전에 공개하기로 했다. | 박수 소리가 잦아들 때까지 이어졌다. |
      팬들이 보낸 이야기에서 출발했다고 밝혔다. | 한 달 동안 매일 조금씩 달라졌다. | 조명이 모두 꺼진 뒤에야 끝났다. | 새벽까지 이어진 회의에서 정해졌다고 한다. |
      무대 위에서 더 크게 빛났다.`),
  ],
  en: [
    list(`Last weekend, | Early in the morning, | On the first night, | After the rehearsal, |
      Before the studio lights went out, | As the rain stopped, | In front of the fans, |
      When the curtain rose, | After months of work, | Before the final song, | According to the crew, |
      Against all expectations, | On the second stage, | Somewhere backstage,`),
    list(`the opening track | the dance team | a sea of small lights | the new arrangement |
      a short greeting in the wings | the lyric, rewritten three times, | one acoustic guitar |
      the last scene of the drama | a handwritten letter | the set of the new tour |
      the mirror of an old practice room | a chorus sung by the whole hall |
      the silence the director kept | a voice from the radio`),
    list(`made a moment that people will talk about for a long time. |
      began ten minutes earlier than planned. | ran from start to finish in a single breath. |
      kept its small mistakes and won the room with them. |
      will keep its place in the next city as well. | sounded different to everyone who heard it. |
      is due to be released before the winter. | went on until the applause died down. |
      grew out of stories that fans had sent in. | changed a little every day for a month. |
      ended only when all the lamps were out. | was decided in a meeting that lasted until dawn. |
      shone brighter than anyone had hoped.`),
  ],
  ms: [
    list(`Hujung minggu lalu, | Awal pagi itu, | Pada malam pertama, | Selepas raptai, |
      Sebelum lampu studio dipadamkan, | Ketika hujan mula reda, | Di hadapan peminat, |
      Sebaik sahaja tirai dibuka, | Selepas berbulan-bulan berlatih, | Sebelum lagu terakhir, |
      Menurut krew, | Di luar jangkaan, | Di pentas kedua,`),
    list(`lagu pembuka album baharu | kumpulan penari | lautan cahaya kecil | gubahan yang dipilih ahli |
      sapaan ringkas di belakang pentas | lirik yang ditulis semula tiga kali | iringan sebuah gitar |
      babak terakhir drama itu | sepucuk surat tulisan tangan | set jelajah kali ini |
      cermin bilik latihan lama | korus yang dinyanyikan seluruh dewan | suara dari radio`),
    list(`mencipta detik yang akan lama diingati. | bermula sepuluh minit lebih awal. |
      mengalir dari mula hingga akhir tanpa henti. | mengekalkan kesilapan kecil yang mengundang ketawa. |
      akan dibawa pula ke bandar seterusnya. | kedengaran berbeza bagi setiap pendengar. |
      dijangka diterbitkan sebelum musim sejuk. | berterusan sehingga tepukan mulai perlahan. |
      lahir daripada kisah yang dikirim peminat. | berubah sedikit demi sedikit setiap hari. |
      hanya berakhir selepas semua lampu padam. | diputuskan dalam mesyuarat sehingga subuh.`),
  ],
  vi: [
    list(`Cuối tuần qua, | Từ sáng sớm, | Trong đêm đầu tiên, | Sau buổi tổng duyệt, |
      Trước khi đèn phòng thu tắt, | Khi cơn mưa vừa tạnh, | Trước mặt người hâm mộ, |
      Ngay khi màn kéo lên, | Sau nhiều tháng chuẩn bị, | Trước bài hát cuối, | Theo lời ê-kíp, |
      Trái với dự đoán, | Trên sân khấu thứ hai,`),
    list(`ca khúc mở đầu album mới | nhóm biên đạo | biển ánh sáng nhỏ dưới khán đài |
      bản phối do các thành viên chọn | lời chào ngắn sau cánh gà | phần lời được viết lại ba lần |
      tiếng đàn ghi-ta mộc | cảnh cuối của bộ phim | một lá thư viết tay | sân khấu của chuyến lưu diễn |
      tấm gương trong phòng tập cũ | điệp khúc cả khán phòng cùng hát | giọng nói vang ra từ chiếc đài`),
    list(`đã tạo nên khoảnh khắc được nhớ mãi. | bắt đầu sớm hơn mười phút so với dự kiến. |
      trôi từ đầu đến cuối trong một hơi thở. | giữ nguyên cả những lỗi nhỏ đáng yêu. |
      sẽ tiếp tục có mặt ở thành phố kế tiếp. | mỗi người nghe lại thấy một khác. |
      dự kiến ra mắt trước mùa đông. | kéo dài cho đến khi tiếng vỗ tay lắng xuống. |
      bắt nguồn từ câu chuyện người hâm mộ gửi về. | mỗi ngày lại thay đổi một chút. |
      chỉ dừng lại khi mọi ngọn đèn đã tắt. | được quyết định sau cuộc họp đến tận khuya.`),
  ],
};

const headlines: Record<Lang, readonly [readonly string[], readonly string[]]> = {
  ko: [
    list(
      `새 앨범 | 첫 단독 공연 | 팬미팅 | 주연 드라마 | 새 싱글 | 겨울 투어 | 라디오 진행 | 뮤직비디오 | 연말 무대 | 화보 | 다큐멘터리 | 합동 공연`,
    ),
    list(
      `소식 전했다 | 뒷이야기 공개 | 준비 과정 담았다 | 기록 세웠다 | 무대 뒤를 보여 주다 | 전석 매진 | 예고편 공개 | 앙코르 확정 | 비하인드 | 첫 반응은`,
    ),
  ],
  en: [
    list(`new album | first solo concert | fan meeting | lead role | new single | winter tour | radio show |
      music video | year-end stage | photo book | documentary | joint concert`),
    list(`announced | goes behind the scenes | in the making | sets a record | sells out | gets a trailer |
      returns for an encore | moves fans | opens early | explained`),
  ],
  ms: [
    list(`album baharu | konsert solo pertama | jumpa peminat | watak utama | single baharu |
      jelajah musim sejuk | rancangan radio | video muzik | pentas akhir tahun | buku foto | dokumentari`),
    list(`diumumkan | di sebalik tabir | dalam pembikinan | cipta rekod | habis dijual | dapat treler |
      kembali sekali lagi | sentuh hati peminat | dibuka awal`),
  ],
  vi: [
    list(`album mới | đêm nhạc riêng đầu tiên | buổi gặp fan | vai chính | đĩa đơn mới | tour mùa đông |
      chương trình radio | video âm nhạc | sân khấu cuối năm | sách ảnh | phim tài liệu`),
    list(`được công bố | và chuyện hậu trường | đang thành hình | lập kỷ lục | cháy vé | tung trailer |
      trở lại diễn thêm | chạm tới người nghe | mở màn sớm`),
  ],
};

/** Syllables of synthetic names: Hangul, its Latin spelling, its initial consonant. */
export const syllables = [
  ['가', 'ga', 'ㄱ'],
  ['나', 'na', 'ㄴ'],
  ['다', 'da', 'ㄷ'],
  ['라', 'ra', 'ㄹ'],
  ['마', 'ma', 'ㅁ'],
  ['바', 'ba', 'ㅂ'],
  ['사', 'sa', 'ㅅ'],
  ['아', 'a', 'ㅇ'],
  ['자', 'ja', 'ㅈ'],
  ['차', 'cha', 'ㅊ'],
  ['하', 'ha', 'ㅎ'],
  ['고', 'go', 'ㄱ'],
  ['노', 'no', 'ㄴ'],
  ['도', 'do', 'ㄷ'],
  ['로', 'ro', 'ㄹ'],
  ['모', 'mo', 'ㅁ'],
  ['보', 'bo', 'ㅂ'],
  ['소', 'so', 'ㅅ'],
  ['오', 'o', 'ㅇ'],
  ['조', 'jo', 'ㅈ'],
  ['유', 'yu', 'ㅇ'],
  ['윤', 'yun', 'ㅇ'],
  ['린', 'rin', 'ㄹ'],
  ['결', 'gyeol', 'ㄱ'],
  ['별', 'byeol', 'ㅂ'],
  ['담', 'dam', 'ㄷ'],
  ['솔', 'sol', 'ㅅ'],
  ['찬', 'chan', 'ㅊ'],
  ['희', 'hui', 'ㅎ'],
  ['준', 'jun', 'ㅈ'],
] as const;

/** A text in every language under one number, so that SQL finds it by number. */
export type Numbered = Record<Lang, string> & { n: number };

function pool(size: number, make: (language: Lang, n: number) => string): Numbered[] {
  return Array.from({ length: size }, (_, n) => ({
    n,
    ...(Object.fromEntries(languages.map((language) => [language, make(language, n)])) as Record<
      Lang,
      string
    >),
  }));
}

function sentence(language: Lang, luck: ReturnType<typeof chance>): string {
  return sentences[language].map((words) => words[luck.int(0, words.length - 1)]).join(' ');
}

/** Paragraphs of 375–500 characters: four or five make a body of 1,500–2,500. */
export function paragraphs(size: number): Numbered[] {
  return pool(size, (language, n) => {
    const luck = chance(`paragraph-${language}-${n}`);
    let text = sentence(language, luck);
    while (text.length < 375) text += ` ${sentence(language, luck)}`;
    return text;
  });
}

/** Single sentences. */
export function lines(size: number): Numbered[] {
  return pool(size, (language, n) => sentence(language, chance(`line-${language}-${n}`)));
}

/** What follows a star's name in a title. */
export function titles(size: number): Numbered[] {
  return pool(size, (language, n) => {
    const luck = chance(`title-${language}-${n}`);
    return headlines[language].map((words) => words[luck.int(0, words.length - 1)]).join(' ');
  });
}
