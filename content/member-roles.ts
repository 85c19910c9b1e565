import type { Translated } from './locales.ts';

const entries: Readonly<Record<string, Translated>> = {
  leader: { ko: '리더', en: 'Leader', ms: 'Ketua', vi: 'Trưởng nhóm' },
  center: { ko: '센터', en: 'Centre', ms: 'Center', vi: 'Center' },
  maknae: { ko: '막내', en: 'Youngest', ms: 'Bongsu', vi: 'Em út' },
  'fake maknae': { ko: '가짜 막내', en: 'Fake maknae', ms: 'Bongsu olok-olok', vi: 'Em út giả' },
  'main vocal': { ko: '메인보컬', en: 'Main vocalist', ms: 'Vokalis utama', vi: 'Hát chính' },
  'sub vocalist': { ko: '서브보컬', en: 'Sub-vocalist', ms: 'Vokalis sokongan', vi: 'Hát phụ' },
  'main rapper': { ko: '메인래퍼', en: 'Main rapper', ms: 'Rapper utama', vi: 'Rap chính' },
  'lead rapper': { ko: '리드래퍼', en: 'Lead rapper', ms: 'Rapper kedua', vi: 'Rap dẫn' },
  'main dancer': { ko: '메인댄서', en: 'Main dancer', ms: 'Penari utama', vi: 'Nhảy chính' },
  'lead dancer': { ko: '리드댄서', en: 'Lead dancer', ms: 'Penari kedua', vi: 'Nhảy dẫn' },
  visual: { ko: '비주얼', en: 'Visual', ms: 'Visual', vi: 'Visual' },
  'main visual': { ko: '메인 비주얼', en: 'Main visual', ms: 'Visual utama', vi: 'Visual chính' },
  'girl crush': { ko: '걸크러시', en: 'Girl crush', ms: 'Girl crush', vi: 'Girl crush' },
  composer: { ko: '작곡', en: 'Composer', ms: 'Komposer', vi: 'Sáng tác nhạc' },
  lyricist: { ko: '작사', en: 'Lyricist', ms: 'Penulis lirik', vi: 'Viết lời' },
  'in charge of variety': {
    ko: '예능 담당',
    en: 'In charge of variety',
    ms: 'Pakar rancangan hiburan',
    vi: 'Phụ trách show giải trí',
  },
  'in charge of cuteness': {
    ko: '애교 담당',
    en: 'In charge of cuteness',
    ms: 'Pencuit hati',
    vi: 'Phụ trách dễ thương',
  },
};

/** What members of a group are to it, in the words of fans, by what other directories call it. */
export const memberRoles: ReadonlyMap<string, Translated> = new Map(Object.entries(entries));
