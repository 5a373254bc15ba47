// A project with documentation in many languages, and questions with other forms of its words. Written for the tests.

export const MULTILINGUAL: Readonly<Record<string, string>> = {
  "src/pool.ts":
    "/** Returns a connection to the pool. */\nexport function releaseConnection(pool: Pool): void {\n  pool.release();\n}\n",
  "docs/backup.md":
    "# Backups\n\nThe backup of the archive is written every night, and you can restore it with this command.\n",
  "docs/resume.md":
    "# Upload a résumé\n\nThe résumé of the applicant is kept for a year, and then it is deleted with all that was sent with it.\n",
  "handbuch/sicherung.md":
    "# Sicherungen\n\nDie Sicherung des Archivs wird jede Nacht geschrieben. Sie können sie mit diesem Befehl auf einem anderen Rechner wieder einspielen, wenn die Platte ausfällt.\n",
  "handbuch/drucker.md":
    "# Drucker\n\nEin neuer Drucker wird in den Einstellungen hinzugefügt. Die Warteschlange des Druckers zeigt die Aufträge, die noch nicht gedruckt sind.\n",
  "podrecznik/haslo.md":
    "# Hasła\n\nHasło użytkownika nie jest zapisywane. Jeżeli użytkownik je zapomni, administrator może je zmienić na stronie kont, a użytkownik dostanie list.\n",
  "podrecznik/drukarka.md":
    "# Drukarki\n\nNową drukarkę dodaje się w ustawieniach. Kolejka drukarki pokazuje zadania, które nie są jeszcze wydrukowane, i te, które się nie udały.\n",
  "pravila/parol.md":
    "# Пароли\n\nПароль пользователя не хранится. Если пользователь его забыл, администратор меняет его на странице учётных записей.\n",
  "pravila/printer.md":
    "# Принтеры\n\nНовый принтер добавляется в настройках. Очередь принтера показывает задания, которые ещё не напечатаны.\n",
  "zh/database.md":
    "# 数据库\n\n数据库连接失败时，请检查Docker容器是否正在运行，并查看日志中的错误信息。连接池的大小在配置文件中设置。\n",
  "zh/cache.md":
    "# 缓存\n\n缓存的内容保存一小时，到期后自动删除。清空缓存不会影响已经登录的用户。\n",
  "ja/database.md":
    "# データベース\n\nデータベース接続が切れたときは、自動的に再接続します。接続の数は設定ファイルで変更できます。\n",
  "ja/cache.md": "# キャッシュ\n\nキャッシュの内容は一時間保存され、期限が切れると削除されます。\n",
  "ko/database.md":
    "# 데이터베이스\n\n데이터베이스에 연결할 수 없으면 컨테이너가 실행 중인지 확인하십시오. 연결의 수는 설정 파일에서 바꿉니다.\n",
  "ko/cache.md": "# 캐시\n\n캐시의 내용은 한 시간 동안 저장되고 그 뒤에 삭제됩니다.\n",
  "th/database.md":
    "# ฐานข้อมูล\n\nหากการเชื่อมต่อฐานข้อมูลล้มเหลว ให้ตรวจสอบว่าคอนเทนเนอร์กำลังทำงานอยู่หรือไม่\n",
  "th/cache.md": "# แคช\n\nเนื้อหาของแคชจะถูกเก็บไว้หนึ่งชั่วโมงแล้วจึงถูกลบ\n",
};

/** Questions with the file that answers each. */
export const MULTILINGUAL_QUESTIONS: readonly (readonly [string, string])[] = [
  ["数据库的连接", "zh/database.md"],
  ["使用docker容器", "zh/database.md"],
  ["如何清空缓存", "zh/cache.md"],
  ["接続数を変更する", "ja/database.md"],
  ["ﾃﾞｰﾀﾍﾞｰｽ", "ja/database.md"],
  ["데이터베이스를 연결하는 방법", "ko/database.md"],
  ["เชื่อมต่อกับฐานข้อมูล", "th/database.md"],
  ["кто меняет паролей пользователей", "pravila/parol.md"],
  ["очереди принтеров", "pravila/printer.md"],
  ["Wie spielt man eine gesicherte Platte wieder ein", "handbuch/sicherung.md"],
  ["Auftrag für einen Drucker", "handbuch/drucker.md"],
  ["zmiana haseł użytkowników", "podrecznik/haslo.md"],
  ["ustawienie kolejek drukarek jest", "podrecznik/drukarka.md"],
  ["upload resume of the applicant", "docs/resume.md"],
  ["upload re\u0301sume\u0301", "docs/resume.md"],
  ["release a connection to the pool", "src/pool.ts"],
];
