"""Files of the formats, of our own making: small, with the quirks of the real ones."""

SAMPLES: dict[str, bytes] = {
    "topolstm": b"7 3 10 12 20.5\n3 7 4\n",
    "mshgat": b"7 1.0e+1,3 10,12 20.5,\n3 1.284967588e+9,7 1284967590\n12 5,3 6,229",
    "forest": b"7,10 3,10 12,20.5 \n3,4 7,5\n",
    "snidsa": b"7,3,12:10,10,20.5\n3,7:4,5\n",
    "weng": b"#tag\t10,7\t10,3\t20.5,12\nother\t4,3\t5,7\t6,3\n",
    "table": b'user,cascade,time,text\n7,a,10,x\n3,b,4,"y, z"\n3,a,10,\n12,a,20.5,x\n7,b,5,x\n',
    "echoflow": b"user_id,topic_id,timestamp\n7,1,10\n3,1,10\n12,1,20.5\n3,2,4\n7,2,5\n",
    "digg2009": b'"10","7","1"\r"4","3","2"\r"20","12","1"\r"10","3","1"\r"5","7","2"\r',
    "twitter2010": (
        b"link,id,create_at,create_at_long,inreplyto_screen_name,inreplyto_user_id,source,bad_user_id,"
        b"user_screen_name,order_of_users,user_id\n"
        b'http://a.b/c,1,2010-10-05,10000,,,"<a href=""x,y"">web</a>",9,J\xf6rg,1,7\n'
        b"http://a.b/c,2,2010-10-05,10000,,,web,9,b,2,3\n"
        b"http://a.b/d,3,2010-10-05,4000,,,web,9,b,1,3\n"
        b"http://a.b/d,4,2010-10-05,5000,,,web,9,a,2,7\n"
        b"http://a.b/c,5,2010-10-05,20500,,,web,9,c,3,12\n"
        b"http://a.b/c,6,2010-10-05,30000,,,web,9,a,4,7\n"
    ),
    "casflow": b"1\t7\t1464745294\t3\t7:0 7/3:5 7/3/12:9\n2\t-1\t2010-01-02\t2\t3:1 7:0\n",
    "aminer": (
        b"55 2012-09-28-08:00:00 7 2\n3 1348790410 12 1348790420 \n56 2012-09-28-09:00:00 3 0\n\n"
        b"57 2012-09-29-08:00:00 3 1\n7 2012-09-29-09:00:00\n"
    ),
}
"""Format -> the file; most hold the cascades 7, 3, 12 and 3, 7."""
