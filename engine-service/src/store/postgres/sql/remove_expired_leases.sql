DELETE FROM lease WHERE fence = ANY (ARRAY (
SELECT fence FROM lease
WHERE fence = ANY (ARRAY (SELECT fence FROM lease ORDER BY fence LIMIT 1000))
      AND expires < now() - interval '10 minutes'
FOR UPDATE SKIP LOCKED))
